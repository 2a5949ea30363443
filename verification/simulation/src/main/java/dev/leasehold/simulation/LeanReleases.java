package dev.leasehold.simulation;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Makes releases usual that would be so without a label. Here labels name the operations, and a release of a hold with a label is
 * never combined. Its label stays behind in the hash, where nothing reads it.
 */
final class LeanReleases implements LockStore.Forwarding {

    private final LockStore store;
    private final Set<AcquisitionId> lean = new HashSet<>();

    LeanReleases(LockStore store) {
        this.store = store;
    }

    @Override
    public LockStore behind() {
        return store;
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        if (request instanceof AcquireFreeLock free) {
            lean.add(free.id());
        } else if (request instanceof AcquireHold full) {
            lean.remove(full.id());
        } else if (request instanceof ContinueHandOff goesOn) {
            lean.remove(goesOn.id());
        } else if (request instanceof ContinueHandOff.Retain retains) {
            lean.remove(retains.id());
        } else if (request instanceof ReleaseHold release
                && lean.contains(release.id())
                && release.notAfter().equals(ServerTime.NONE)) {
            ReleaseHold usual = new ReleaseHold(
                    release.key(), release.id(), release.longest(), true, ServerTime.NONE, release.timeoutNanos());
            return request.typed(store.send(usual));
        }
        return store.send(request);
    }
}
