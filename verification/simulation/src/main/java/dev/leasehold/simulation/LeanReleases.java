package dev.leasehold.simulation;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ChannelListener;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes releases usual that would be so without a label. Here labels name the operations, and a release of a hold with a label is
 * never combined. Its label stays behind in the hash, where nothing reads it.
 */
final class LeanReleases implements LockStore {

    private final LockStore store;
    private final Set<AcquisitionId> lean = new HashSet<>();

    LeanReleases(LockStore store) {
        this.store = store;
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        if (request instanceof AcquireFreeLock free) {
            lean.add(free.id());
        } else if (request instanceof AcquireHold full) {
            lean.remove(full.id());
        } else if (request instanceof ContinueHandOff goesOn) {
            lean.remove(goesOn.id());
        } else if (request instanceof ReleaseHold release
                && lean.contains(release.id())
                && release.notAfter().equals(ServerTime.NONE)) {
            ReleaseHold usual = new ReleaseHold(
                    release.key(), release.id(), release.longest(), true, ServerTime.NONE, release.timeoutNanos());
            return request.typed(store.send(usual));
        }
        return store.send(request);
    }

    @Override
    public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
        return store.sendAll(requests);
    }

    @Override
    public List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
        return store.sendDurably(requests, onDisk, replicas, withinMillis);
    }

    @Override
    public String shardOf(String key) {
        return store.shardOf(key);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return store.subscribe(channel, listener);
    }

    @Override
    public void close() {
        store.close();
    }
}
