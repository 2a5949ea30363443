package dev.leasehold.jedis;

import dev.leasehold.tck.ClusterFailoverContract;
import org.junit.jupiter.api.Tag;

/** The contract over Jedis. */
@Tag("long")
class ClusterFailoverContractIT extends ClusterFailoverContract {}
