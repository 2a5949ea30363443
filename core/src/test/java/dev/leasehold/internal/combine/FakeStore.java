package dev.leasehold.internal.combine;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ChannelListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A store whose calls are answered when a test says so. */
final class FakeStore implements LockStore {

    static final ServerTime NOW = new ServerTime(1_790_000_000_000_000L);

    final List<Sent<?>> sent = new CopyOnWriteArrayList<>();
    boolean closed;
    Consumer<Sent<?>> onSend = sent -> {};

    /** One call, at once the stage that its sender gets. */
    static final class Sent<A> extends CompletableFuture<A> implements Doubtable {

        final StoreRequest<A> request;
        int doubts;

        Sent(StoreRequest<A> request) {
            this.request = request;
        }

        @Override
        public boolean doubt() {
            doubts++;
            return true;
        }

        /** Returns the names of the locks, those to acquire first. */
        List<String> names() {
            List<String> names = new ArrayList<>();
            if (request instanceof CombinedScript.Request many) {
                many.acquisitions().forEach(each -> names.add("+" + name(each)));
                many.releases().forEach(each -> names.add("-" + name(each)));
            } else if (request instanceof LockRequest<?> one) {
                names.add((one instanceof AcquireFreeLock ? "+" : "-") + name(one));
            }
            return names;
        }

        private static String name(LockRequest<?> request) {
            LockKey key = request.key();
            return key.name();
        }

        /** Grants and releases all. */
        void answerAll() {
            answer(FakeStore.answer(request));
        }

        @SuppressWarnings("unchecked")
        void answer(Object answer) {
            complete((A) answer);
        }
    }

    static Object answer(StoreRequest<?> request) {
        if (request instanceof CombinedScript.Request many) {
            return new CombinedScript.Answer(
                    NOW,
                    many.acquisitions().stream().map(FakeStore::granted).toList(),
                    many.releases().stream()
                            .map(each -> Optional.of(released()))
                            .toList());
        }
        return request instanceof AcquireFreeLock one ? granted(one) : released();
    }

    /** The answer names its request by the token. */
    static AcquireHold.Answer granted(AcquireFreeLock request) {
        return new AcquireHold.Answer(
                AcquireHold.Code.GRANTED, NOW, 1, request.floor().token(), "");
    }

    static ReleaseHold.Answer released() {
        return new ReleaseHold.Answer(ReleaseHold.Code.RELEASED, NOW, "");
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        Sent<A> one = new Sent<>(request);
        sent.add(one);
        onSend.accept(one);
        return one;
    }

    @Override
    public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
        return List.copyOf(requests.stream().map(this::send).toList());
    }

    @Override
    public List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
        return List.of();
    }

    @Override
    public ServerTime serverTimeAt(String key, long localNanos) {
        return NOW;
    }

    @Override
    public String shardOf(String key) {
        return "shard of " + key;
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return CompletableFuture.completedFuture(() -> {});
    }

    @Override
    public void close() {
        closed = true;
    }
}
