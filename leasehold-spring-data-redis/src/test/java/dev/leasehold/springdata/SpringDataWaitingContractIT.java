package dev.leasehold.springdata;

import dev.leasehold.tck.WaitingContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataWaitingContractIT extends WaitingContract {}
