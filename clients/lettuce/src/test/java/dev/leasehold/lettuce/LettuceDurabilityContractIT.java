package dev.leasehold.lettuce;

import dev.leasehold.tck.DurabilityContract;

/** The contract over Lettuce, on a primary with two replicas. */
class LettuceDurabilityContractIT extends DurabilityContract {}
