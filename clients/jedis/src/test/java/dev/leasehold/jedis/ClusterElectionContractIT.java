package dev.leasehold.jedis;

import dev.leasehold.tck.ClusterElectionContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis. */
@Tag("long")
class ClusterElectionContractIT extends ClusterElectionContract {}
