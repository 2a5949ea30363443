package dev.leasehold.springdata;

import dev.leasehold.tck.SemaphoreMutexContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataSemaphoreMutexContractIT extends SemaphoreMutexContract {}
