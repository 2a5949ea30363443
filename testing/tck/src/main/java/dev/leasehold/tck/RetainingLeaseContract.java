package dev.leasehold.tck;

import java.time.Duration;

/** The contract of leases on locks whose holds are retained between two uses. */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class RetainingLeaseContract extends LeaseContract {

    @Override
    final Duration retainFor() {
        return RETAINED;
    }
}
