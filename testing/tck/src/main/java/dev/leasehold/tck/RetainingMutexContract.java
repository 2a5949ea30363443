package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.Map;

/** The contract of mutual exclusion on locks whose holds are retained between two uses. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a quorum retains no holds")
class RetainingMutexContract extends MutexContract {

    @Override
    final Duration retainFor() {
        return RETAINED;
    }

    @Override
    final DistributedLock unusedLock(Leasehold client, String name) {
        return unusedLock(client, name, LockOptions.defaults());
    }

    @Override
    final Map<String, Long> requestsOfALock() {
        return Map.of();
    }

    @Override
    final Map<String, Long> requestsOfAnUnlock() {
        return Map.of();
    }
}
