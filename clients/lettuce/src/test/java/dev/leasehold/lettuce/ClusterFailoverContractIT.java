package dev.leasehold.lettuce;

import dev.leasehold.tck.ClusterFailoverContract;

/** The contract over Lettuce. */
class ClusterFailoverContractIT extends ClusterFailoverContract {}
