package dev.leasehold.springdata;

import dev.leasehold.tck.LeaderContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataLeaderContractIT extends LeaderContract {}
