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
import dev.leasehold.internal.lease.ThreadHolds;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.ServerClock;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.internal.script.LockScripts;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.time.Clocks;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An engine whose time stands still and whose lane sends nothing: what it would give back stays among the unanswered. */
final class Rooms implements RedisTransport, TimeSource, Timer {

    static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    static final LockKey KEY = LockKey.of(PREFIX, "a");

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Limits LIMITS = new Limits(SECOND, SECOND, Duration.ofDays(1), Duration.ofMinutes(1));

    private static final WakeChannel WAKE_CHANNEL = new WakeChannel(PREFIX, "client-1");

    /** One for all races of jcstress, because to make one takes longer than a race; nothing of it is raced for. */
    private static final Rooms SHARED = new Rooms();

    private final RequestContext context = new RequestContext(
            new Clocks(this),
            new ServerClock(new ServerTime(0), 0),
            this,
            LIMITS,
            new LockScripts(new Retention(LIMITS.retention()), false),
            new Lifecycle(this),
            false,
            () -> 0);
    private final BatchSender sender = new BatchSender(this, this, this, task -> {});
    private final LeaseTable leases = new LeaseTable(() -> new AcquisitionId("acquisition-1"), new ThreadHolds());
    private final LeaseEvents events = new LeaseEvents(new EventDispatcher(List.of(), Runnable::run), this);
    private final LeaseTermination termination = new LeaseTermination(context, sender, leases, events);
    private final Watchdog watchdog = new Watchdog(context, leases, events, termination);
    private final ReaderGroups readers = new ReaderGroups(context, sender, new TokenFloors(0));
    private final LocalWaiters room = newRoom();
    private ChannelListener wakeUps = message -> {};

    private Rooms() {}

    /**
     * With an engine of its own, subscribed before anybody waits. What one schedule left behind would lead the next
     * along another way, and Lincheck, which repeats schedules, would end its search after a few of them.
     */
    static Rooms fresh() {
        Rooms rooms = new Rooms();
        rooms.room.receivesWakeUps();
        return rooms;
    }

    private LocalWaiters newRoom() {
        WakeListener listener = new WakeListener(this, WAKE_CHANNEL);
        LocalWaiters waiters = new LocalWaiters(
                context,
                sender,
                new StepExecutor(Runnable::run),
                new MultiKeyCalls(false),
                leases,
                termination,
                watchdog,
                readers,
                listener,
                new QueuePositions(context, sender, WAKE_CHANNEL));
        listener.add(waiters);
        termination.connect(waiters);
        return waiters;
    }

    /** A room of its own, for each time that a race is run. */
    static LocalWaiters another() {
        return SHARED.newRoom();
    }

    /** The same, subscribed before anybody waits. */
    static LocalWaiters anotherThatHears() {
        LocalWaiters room = another();
        room.receivesWakeUps();
        return room;
    }

    /** Whether this place was given back, in whatever room; told once. */
    static boolean gaveBack(long place) {
        String number = Long.toString(place);
        return SHARED.context
                .unanswered()
                .removeIf(request -> request instanceof LeaveQueueRequest leave
                        && Objects.requireNonNull(leave.prepare(0))
                                .args()
                                .get(0)
                                .equals(number));
    }

    /** Whether the hold that this reader shares is nobody else's any more: it leaves in good order. */
    static boolean leaves(LeaseRecord reader) {
        return SHARED.readers.leave(reader, true);
    }

    /** What Redis would be told of readers, in whatever room, is of no interest any more. */
    static void forgetShared() {
        SHARED.context.unanswered().removeIf(request -> request instanceof ShareRequest);
    }

    LocalWaiters room() {
        return room;
    }

    LocalQueueEntry join() {
        return join(room);
    }

    static LocalQueueEntry join(LocalWaiters room) {
        return (LocalQueueEntry) room.join(KEY, null, Leases.OPTIONS);
    }

    /** Joins those who wait to read. */
    static LocalQueueEntry joinReaders(LocalWaiters room) {
        return (LocalQueueEntry) room.join(ReadKey.of(KEY), null, Leases.OPTIONS);
    }

    /** Joins, with the place that the line has in the queue of the lock from now on. */
    LocalQueueEntry joinWithPlace(long place) {
        LocalQueueEntry seat = join();
        seat.waiter(true);
        seat.placed(place, 0);
        return seat;
    }

    /** Redis wakes the place. */
    void wake(long place) {
        wakeUps.message(place + " " + KEY.key());
    }

    /** How many places were given back. */
    int givenBack() {
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
    public CompletionStage<List<String>> eval(ScriptCall call) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Object> command(RedisNode node, List<String> args) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
