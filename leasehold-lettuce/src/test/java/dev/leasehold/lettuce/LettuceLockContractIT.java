package dev.leasehold.lettuce;

import dev.leasehold.tck.LockContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceLockContractIT extends LockContract {}
