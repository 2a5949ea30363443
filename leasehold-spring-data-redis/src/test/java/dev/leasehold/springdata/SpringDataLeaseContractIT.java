package dev.leasehold.springdata;

import dev.leasehold.tck.LeaseContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataLeaseContractIT extends LeaseContract {}
