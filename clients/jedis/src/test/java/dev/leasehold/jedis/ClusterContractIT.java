package dev.leasehold.jedis;

import dev.leasehold.tck.ClusterContract;

/** The contract over Jedis. */
class ClusterContractIT extends ClusterContract {}
