package dev.leasehold.jedis;

import dev.leasehold.tck.ClusterElectionContract;

/** The contract over Jedis. */
class ClusterElectionContractIT extends ClusterElectionContract {}
