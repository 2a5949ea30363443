package dev.leasehold.internal.request;

import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ChannelListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that nothing is sent to; tests override what they use. */
abstract class UnusedStore implements LockStore {

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ServerTime serverTimeAt(String key, long localNanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String shardOf(String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
