package dev.leasehold.springdata;

import dev.leasehold.tck.SemaphoreContract;

/** The contract over Spring Data Redis and Lettuce, on a standalone server. */
class SpringDataSemaphoreContractIT extends SemaphoreContract {}
