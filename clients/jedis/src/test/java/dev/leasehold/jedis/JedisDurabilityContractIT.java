package dev.leasehold.jedis;

import dev.leasehold.tck.DurabilityContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis, on a primary with two replicas. */
@Tag("long")
class JedisDurabilityContractIT extends DurabilityContract {}
