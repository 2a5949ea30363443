package dev.leasehold.lettuce;

import dev.leasehold.tck.PlainMutexContract;

/** The contract over Lettuce, on a standalone server, of plain locks. */
class LettucePlainMutexContractIT extends PlainMutexContract {}
