package dev.leasehold.jedis;

import dev.leasehold.tck.ClusterFailoverContract;

/** The contract over Jedis. */
class ClusterFailoverContractIT extends ClusterFailoverContract {}
