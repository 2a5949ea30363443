package dev.leasehold.internal.quorum;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps locks on several independent servers, of which a majority decides. The engine acquires, renews and releases with
 * the same requests as over one server. The rules that make this safe are here: ids that are used once, renewal rounds
 * that only extend, servers that do not count, and releases on all servers. The rules of leases, their renewal and their
 * loss stay in the engine, and are the same as for one server.
 *
 * <p>Based on the Redlock algorithm (redis.io, "Distributed Locks with Redis").
 */
public final class QuorumStore implements LockStore {

    /** The time for which the number of failed tries is remembered. */
    private static final long REMEMBERED_NANOS = 1_000_000_000;

    private final List<Node> nodes;
    private final QuorumParts parts;
    private final Quorum quorum;
    private final RequestHandlers handlers;
    /** The last try of each acquisition, by the id that the engine gave to the acquisition. */
    private final Map<AcquisitionId, QuorumHold> holds = new ConcurrentHashMap<>();

    private final AtomicLong tries = new AtomicLong();

    /** Creates a store over servers of which at least a majority was reached. */
    public QuorumStore(List<Node> nodes, QuorumParts parts) {
        this.nodes = List.copyOf(nodes);
        this.parts = parts;
        this.quorum = new Quorum(nodes, parts);
        this.handlers = new RequestHandlers()
                .on(AcquireHold.class, this::acquire)
                .on(RenewHold.class, this::renew)
                .on(RenewHolds.class, this::renewAll)
                .on(ReleaseHold.class, this::release)
                .on(InspectLock.class, request -> QuorumQuery.inspect(quorum, request))
                .on(ForceRelease.class, request -> QuorumQuery.forceRelease(quorum, request));
    }

    /** The time that the engine uses as the time of Redis. */
    @Override
    public ServerTime serverTimeAt(String key, long localNanos) {
        return quorum.timeAt(localNanos);
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        return handlers.handle(request);
    }

    private CompletableFuture<AcquireHold.Answer> acquire(AcquireHold request) {
        if (request.owner().named()) {
            return handlers.refuse("named owners");
        }
        AcquisitionId id = request.id();
        QuorumHold before = holds.get(id);
        QuorumHold hold = new QuorumHold(
                quorum,
                request,
                new AcquisitionId(id.value() + "." + tries.incrementAndGet()),
                before == null ? 0 : before.failedTries() + 1,
                this::forget);
        holds.put(id, hold);
        if (before != null) {
            before.abandon();
        }
        return hold.begin();
    }

    /** Removes a hold once its release is complete; a later try of the same acquisition reads the number of failed tries. */
    private void forget(QuorumHold hold) {
        Timer.Timeout unused = parts.timer().schedule(() -> holds.remove(hold.acquisition(), hold), REMEMBERED_NANOS);
    }

    /** The number of tries and holds that are not forgotten yet. */
    int size() {
        return holds.size();
    }

    private CompletableFuture<RenewHold.Answer> renew(RenewHold request) {
        RenewHolds.Entry only = new RenewHolds.Entry(request.key(), request.id());
        return AnswerFuture.of(
                renewAll(new RenewHolds(request.lease(), List.of(only), request.timeoutNanos())),
                answer -> answer.results().get(0).orThrow());
    }

    private CompletableFuture<RenewHolds.Answer> renewAll(RenewHolds request) {
        return new RenewRound(quorum, request, holds::get).begin();
    }

    private CompletableFuture<ReleaseHold.Answer> release(ReleaseHold request) {
        long now = parts.time().nanoTime();
        QuorumHold hold = holds.get(request.id());
        return hold != null
                ? hold.release(now)
                : CompletableFuture.completedFuture(
                        new ReleaseHold.Answer(ReleaseHold.Code.GONE, quorum.timeAt(now), "free"));
    }

    @Override
    public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        requests.forEach(request -> answers.add(send(request)));
        return answers;
    }

    @Override
    public List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
        return handlers.refuseDurable(requests.size());
    }

    @Override
    public String shardOf(String key) {
        return "";
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return handlers.refuse("a queue");
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
    }
}
