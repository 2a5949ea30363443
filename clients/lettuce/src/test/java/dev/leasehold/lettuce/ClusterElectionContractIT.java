package dev.leasehold.lettuce;

import dev.leasehold.tck.ClusterElectionContract;

/** The contract over Lettuce. */
class ClusterElectionContractIT extends ClusterElectionContract {}
