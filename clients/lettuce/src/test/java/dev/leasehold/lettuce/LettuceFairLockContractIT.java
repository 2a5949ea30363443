package dev.leasehold.lettuce;

import dev.leasehold.tck.FairLockContract;

/** The contract over Lettuce, on a standalone server. */
class LettuceFairLockContractIT extends FairLockContract {}
