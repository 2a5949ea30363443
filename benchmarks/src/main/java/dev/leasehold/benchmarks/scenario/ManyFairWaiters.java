package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Many waiters in the queue of one fair lock, each with a position of its own. */
final class ManyFairWaiters {

    /** The waiters belong to so many clients, in turns. */
    static final int CLIENTS = 20;

    private static final LeaseSpan LEASE = new LeaseSpan(TimeUnit.SECONDS.toNanos(120));
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);
    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);
    private static final Holder HOLDER = new Holder(ProcessHandle.current().pid() + "@localhost", "benchmark", "");
    private static final int ROUNDS = 3;

    /** Waiters poll at least every 5 s, and are dead after 7 s. */
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final Duration DEAD = Duration.ofSeconds(8);

    private final StepMeter meter;
    private final String part;
    private final LockKey key;
    private final SecureRandom random = new SecureRandom();
    private final AcquisitionId[] ids;
    private final long[] positions;
    private final String[] channels;
    private AcquisitionId holder;
    private long lastBeat = System.nanoTime();

    /**
     * Creates them.
     *
     * @param channelOf the channel of each waiter
     */
    ManyFairWaiters(StepMeter meter, String part, LockKey key, int waiters, IntFunction<String> channelOf) {
        this.meter = meter;
        this.part = part;
        this.key = key;
        ids = IntStream.range(0, waiters)
                .mapToObj(n -> AcquisitionId.next(random))
                .toArray(AcquisitionId[]::new);
        positions = new long[waiters];
        channels = IntStream.range(0, waiters).mapToObj(channelOf).toArray(String[]::new);
        holder = AcquisitionId.next(random);
    }

    /** All wait and poll; then the lock is passed through a fifth of them, in order, around a gap of those that leave. */
    void passOn() {
        int tenth = ids.length / 10;
        enqueue();
        for (int round = 0; round < ROUNDS; round++) {
            meter.step(part, "poll", each(0, ids.length, this::polls));
        }
        passThrough(0, tenth);
        meter.step(part, "leave", each(tenth + tenth / 2, 2 * tenth + tenth / 2, this::leaves));
        passThrough(tenth, tenth + tenth / 2);
        passThrough(2 * tenth + tenth / 2, 3 * tenth);
        meter.step(part, "leave", each(3 * tenth, ids.length, this::leaves));
        meter.step(part, "release", List.of(this::releases));
    }

    /**
     * All wait, and the client of so many waiters behind the first is gone: nobody receives its messages. The lock is released
     * while they still count as alive, and the next one holds it until they are dead.
     */
    void passOver(int gone) {
        int first = gone + 1;
        enqueue();
        passThrough(0, 1);
        meter.step(part, "release, the next are gone", List.of(this::releases));
        meter.step(part, "acquire at the head", List.of(() -> enters(first)));
        long end = System.nanoTime() + DEAD.toNanos();
        while (System.nanoTime() < end) {
            meter.step(part, "poll", each(first + 1, first + 1 + CLIENTS, this::polls));
            Pause.of(Duration.ofMillis(500));
        }
        passThrough(first + 1, first + 1 + CLIENTS);
    }

    private void enqueue() {
        meter.step(part, "acquire, held", List.of(() -> code(holder, new Waiter("", 0)) == AcquireHold.Code.GRANTED));
        meter.step(part, "wait", each(0, ids.length, this::waits));
    }

    private void passThrough(int from, int to) {
        List<BooleanSupplier> releases = new ArrayList<>();
        for (int n = from; n < to; n++) {
            int next = n;
            meter.briefStep(part, "release", List.of(this::releases));
            meter.briefStep(part, "acquire at the head", List.of(() -> enters(next)));
            if (System.nanoTime() - lastBeat > HEARTBEAT_NANOS) {
                lastBeat = System.nanoTime();
                meter.briefStep(part, "poll", each(ids.length - CLIENTS, ids.length, this::polls));
            }
        }
        meter.step(part, "release", releases);
    }

    private static List<BooleanSupplier> each(int from, int to, IntPredicateOfWaiter call) {
        return IntStream.range(from, to)
                .<BooleanSupplier>mapToObj(n -> () -> call.test(n))
                .toList();
    }

    private interface IntPredicateOfWaiter {
        boolean test(int n);
    }

    private AcquireHold.Answer ask(AcquisitionId id, Waiter waiter) {
        return meter.send(new AcquireHold(
                key, id, OwnerKey.anonymous(id), LEASE, ANY_TIME, new TokenFloor(0), HOLDER, waiter, TIMEOUT));
    }

    private AcquireHold.Code code(AcquisitionId id, Waiter waiter) {
        return ask(id, waiter).code();
    }

    private Waiter waiter(int n) {
        return new Waiter(channels[n], positions[n], 1, true);
    }

    private boolean waits(int n) {
        AcquireHold.Answer answer = ask(ids[n], waiter(n));
        positions[n] = answer.position();
        return answer.code() == AcquireHold.Code.BUSY
                && positions[n] > 0
                && (n == 0 || positions[n] > positions[n - 1]);
    }

    private boolean polls(int n) {
        AcquireHold.Answer answer = ask(ids[n], waiter(n));
        return answer.code() == AcquireHold.Code.BUSY && answer.position() == positions[n];
    }

    private boolean enters(int n) {
        boolean granted = code(ids[n], waiter(n)) == AcquireHold.Code.GRANTED;
        if (granted) {
            holder = ids[n];
        }
        return granted;
    }

    private boolean leaves(int n) {
        return meter.send(new LeaveQueue(key, waiter(n), null, TIMEOUT)).code() == LeaveQueue.Code.LEFT;
    }

    private boolean releases() {
        return meter.send(new ReleaseHold(key, holder, LEASE, false, ServerTime.NONE, TIMEOUT))
                        .code()
                == ReleaseHold.Code.RELEASED;
    }
}
