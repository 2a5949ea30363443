package dev.leasehold.springdata;

import dev.leasehold.tck.PlainMutexContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataPlainMutexContractIT extends PlainMutexContract {}
