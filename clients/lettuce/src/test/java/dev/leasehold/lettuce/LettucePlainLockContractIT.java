package dev.leasehold.lettuce;

import dev.leasehold.tck.PlainLockContract;

/** The contract over Lettuce, on a standalone server. */
class LettucePlainLockContractIT extends PlainLockContract {}
