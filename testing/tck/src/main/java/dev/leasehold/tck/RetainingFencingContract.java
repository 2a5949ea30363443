package dev.leasehold.tck;

import java.time.Duration;

/** The contract of fencing tokens on locks whose holds are retained between two uses. */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class RetainingFencingContract extends FencingContract {

    /** Returns a shorter time than other variants: after each deletion a test waits until no client retains a hold of before. */
    @Override
    final Duration retainFor() {
        return Duration.ofMillis(200);
    }
}
