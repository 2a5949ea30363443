package dev.leasehold.lettuce;

import dev.leasehold.tck.MutexContract;

/** The contract over Lettuce, on a standalone server, of ordinary locks. */
class LettuceMutexContractIT extends MutexContract {}
