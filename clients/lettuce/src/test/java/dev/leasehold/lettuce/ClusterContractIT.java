package dev.leasehold.lettuce;

import dev.leasehold.tck.ClusterContract;

/** The contract over Lettuce. */
class ClusterContractIT extends ClusterContract {}
