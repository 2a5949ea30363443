package dev.leasehold.springdata;

import dev.leasehold.tck.MutexContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataMutexContractIT extends MutexContract {}
