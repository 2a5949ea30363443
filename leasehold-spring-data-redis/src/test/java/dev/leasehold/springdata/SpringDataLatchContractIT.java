package dev.leasehold.springdata;

import dev.leasehold.tck.LatchContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataLatchContractIT extends LatchContract {}
