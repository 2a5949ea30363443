package dev.leasehold.internal.wait;

import dev.leasehold.internal.dispatch.EventDispatcher;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.renew.HandedLeases;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.time.Clocks;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The waiting parts of an engine in frozen time, whose requests are never sent: they remain unanswered. */
final class WaitingRig implements LockStore, TimeSource, Timer {

    static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    static final LockKey KEY = LockKey.of(PREFIX, "a");

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Limits LIMITS = new Limits(SECOND, SECOND, Duration.ofDays(1), Duration.ofMinutes(1));

    private static final WakeChannel WAKE_CHANNEL = new WakeChannel(PREFIX, "client-1");

    /** One rig for all races of jcstress, because its construction takes longer than a race; no race is about it. */
    private static final WaitingRig SHARED = new WaitingRig();

    private final RequestContext context = new RequestContext(
            new Clocks(this),
            (key, at) -> ServerTime.NONE,
            this,
            LIMITS,
            new Lifecycle(this),
            ServerFeatures.unknown(),
            () -> 0);
    private final BatchSender sender = new BatchSender(this, this, this, task -> {});
    private final LeaseTable leases = new LeaseTable(() -> new AcquisitionId("acquisition-1"), forgotten -> {});
    private final LeaseEvents events = new LeaseEvents(new EventDispatcher(List.of(), Runnable::run), this);
    private final LeaseTermination termination = new LeaseTermination(context, sender, leases, events);
    private final Watchdog watchdog = new Watchdog(context, leases, events, termination);
    private final ReaderGroups readers = new ReaderGroups(context, sender, new TokenFloors(0, this, this::nanoTime));
    private ChannelListener wakeUps = message -> {};
    private final Client client = newClient(true);

    private WaitingRig() {}

    /**
     * Returns a new rig, subscribed before the first waiter. State that one schedule leaves behind would change the next, and
     * Lincheck, which repeats schedules, would end its search after a few of them.
     */
    static WaitingRig fresh() {
        return new WaitingRig();
    }

    /** Creates new queues; a subscription is complete before their first waiter, so that it does not make them poll. */
    private Client newClient(boolean subscribed) {
        WakeListener listener = new WakeListener(this, WAKE_CHANNEL);
        if (subscribed) {
            listener.ensureSubscribed();
        }
        QueuePositions positions = new QueuePositions(context, sender, WAKE_CHANNEL);
        LocalQueues queues = new LocalQueues();
        QueueUpdates updates = new QueueUpdates(queues, positions, readers);
        HandedLeases handed = new HandedLeases(leases, termination, watchdog);
        ReaderTurns turns = new ReaderTurns(context, new StepExecutor(Runnable::run), queues, updates, handed, readers);
        LocalHandOff handOff = new LocalHandOff(context, queues, updates, handed, readers, turns);
        LocalWaiters waiters = new LocalWaiters(
                queues,
                updates,
                handOff,
                handed,
                readers,
                listener,
                new FairWaiters(listener, positions, updates),
                new QueueHeartbeats(context, sender, new MultiKeyCalls(ServerFeatures.unknown()), listener, queues));
        listener.add(waiters);
        termination.connect(handOff);
        return new Client(waiters, handOff);
    }

    /** The local queues of one client. */
    record Client(LocalWaiters waiters, LocalHandOff handOff) {

        boolean hand(LeaseRecord from, LocalGrant grant) {
            return handOff.hand(from, grant);
        }

        void woken(long position, LockKey key) {
            waiters.woken(position, key);
        }
    }

    /** Returns new queues, for each run of a race. */
    static Client another() {
        return SHARED.newClient(false);
    }

    /** Returns new queues, subscribed before the first waiter. */
    static Client anotherSubscribed() {
        return SHARED.newClient(true);
    }

    /** Returns whether any client released this position; returned once. */
    static boolean released(long position) {
        return SHARED.context
                .unanswered()
                .removeIf(request -> request instanceof QueuePositions.Leaving leave
                        && leave.prepare(0).waiter().position() == position);
    }

    /** A reader leaves cleanly. Returns whether no other reader shares its hold. */
    static boolean leaves(LeaseRecord reader) {
        return SHARED.readers.leave(reader, true);
    }

    /** Drops the requests about readers of all clients. */
    static void forgetShared() {
        SHARED.context.unanswered().removeIf(request -> request instanceof ShareRequest);
    }

    Client client() {
        return client;
    }

    LocalQueueEntry join() {
        return join(client);
    }

    static LocalQueueEntry join(Client client) {
        return (LocalQueueEntry) client.waiters.join(KEY, null, Leases.OPTIONS);
    }

    /** Joins the waiting readers. */
    static LocalQueueEntry joinReaders(Client client) {
        return (LocalQueueEntry) client.waiters.join(ReadKey.of(KEY), null, Leases.OPTIONS);
    }

    /** Joins, with the position that the queue has in Redis from now on. */
    LocalQueueEntry joinWithPosition(long position) {
        LocalQueueEntry entry = join();
        entry.nextWaiter(true);
        entry.positioned(position, 0);
        return entry;
    }

    /** Redis wakes the position. */
    void wake(long position) {
        wakeUps.message(position + " " + KEY.key());
    }

    /** Returns the number of released positions. */
    int releasedPositions() {
        return context.unanswered().size();
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public long wallMillis() {
        return 0;
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        return () -> {};
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        wakeUps = listener;
        return CompletableFuture.completedFuture(() -> {});
    }

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
        return ServerTime.NONE;
    }

    @Override
    public String shardOf(String key) {
        return "";
    }

    @Override
    public void close() {}
}
