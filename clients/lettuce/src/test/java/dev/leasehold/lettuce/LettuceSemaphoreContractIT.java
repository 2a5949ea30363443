package dev.leasehold.lettuce;

import dev.leasehold.tck.SemaphoreContract;

/** The contract over Lettuce, on a standalone server, of semaphores. */
class LettuceSemaphoreContractIT extends SemaphoreContract {}
