package dev.leasehold.jedis;

import dev.leasehold.tck.DurabilityContract;

/** The contract over Jedis, on a primary with two replicas. */
class JedisDurabilityContractIT extends DurabilityContract {}
