package dev.leasehold.springdata;

import dev.leasehold.tck.PlainLockContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataPlainLockContractIT extends PlainLockContract {}
