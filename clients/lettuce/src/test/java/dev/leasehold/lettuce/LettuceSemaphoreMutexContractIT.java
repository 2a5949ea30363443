package dev.leasehold.lettuce;

import dev.leasehold.tck.SemaphoreMutexContract;

/** The contract over Lettuce, on a standalone server, of semaphores of one permit. */
class LettuceSemaphoreMutexContractIT extends SemaphoreMutexContract {}
