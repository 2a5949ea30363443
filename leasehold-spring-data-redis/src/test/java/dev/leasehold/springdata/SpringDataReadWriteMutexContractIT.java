package dev.leasehold.springdata;

import dev.leasehold.tck.ReadWriteMutexContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataReadWriteMutexContractIT extends ReadWriteMutexContract {}
