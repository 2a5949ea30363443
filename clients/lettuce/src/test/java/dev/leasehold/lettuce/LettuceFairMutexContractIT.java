package dev.leasehold.lettuce;

import dev.leasehold.tck.FairMutexContract;

/** The contract over Lettuce, on a standalone server, of fair locks. */
class LettuceFairMutexContractIT extends FairMutexContract {}
