package dev.leasehold.springdata;

import dev.leasehold.tck.ReadWriteContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataReadWriteContractIT extends ReadWriteContract {}
