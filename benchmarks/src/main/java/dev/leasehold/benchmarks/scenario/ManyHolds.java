package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Many holds of one lock: they are acquired, renewed and released, each by its own calls. */
final class ManyHolds {

    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);
    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);
    private static final Holder HOLDER = new Holder(ProcessHandle.current().pid() + "@localhost", "benchmark", "");
    private static final int ROUNDS = 3;
    private static final int SMALL_BATCH = 10;
    static final int SHARE_THAT_ENDS = 20;
    private static final int RENEWED_BETWEEN_POLLS = 20;

    private final StepMeter meter;
    private final String part;
    private final Function<AcquisitionId, OwnerKey> owner;
    private final LockKey key;
    private final LeaseSpan lease;
    private final Duration pace;
    private final int largestBatch;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates them.
     *
     * @param part the name of the situation
     * @param key the lock
     * @param owner makes the owner of a hold
     * @param lease the lease of each hold; a round of renewals begins after a third of it
     * @param largestBatch how many holds of this kind a client renews by one call
     */
    ManyHolds(
            StepMeter meter,
            String part,
            LockKey key,
            Function<AcquisitionId, OwnerKey> owner,
            Duration lease,
            int largestBatch) {
        this.meter = meter;
        this.part = part;
        this.key = key;
        this.owner = owner;
        this.lease = new LeaseSpan(lease.toNanos());
        pace = lease.dividedBy(3);
        this.largestBatch = largestBatch;
    }

    /** Acquires so many holds, renews all of them in three rounds, and releases them. */
    void renewAll(int holds) {
        List<AcquisitionId> ids = ids(holds);
        long next = System.nanoTime();
        meter.step(part, "acquire", each(ids, id -> acquired(id, lease)));
        for (int round = 0; round < ROUNDS; round++) {
            next += pace.toNanos();
            Pause.until(next);
            meter.step(part, "renew", each(ids, this::renewed));
            meter.step(part, renewal(SMALL_BATCH), batches(ids, SMALL_BATCH));
            if (largestBatch > SMALL_BATCH) {
                meter.step(part, renewal(largestBatch), batches(ids, largestBatch));
            }
        }
        meter.step(part, "release", each(ids, this::released));
    }

    private static String renewal(int batch) {
        return "renew_many, " + batch + " a call";
    }

    /**
     * Acquires so many holds, of which one of twenty ends after two seconds, and renews the others while somebody polls until
     * the lock shows that those have ended.
     *
     * @param polled the lock as the one that polls requests it; it never gets it
     * @param live reads from the lock how many holds it counts
     */
    void outlive(int holds, LockKey polled, ToLongFunction<LockKey> live) {
        List<AcquisitionId> ids = ids(holds);
        int longer = holds - holds / SHARE_THAT_ENDS;
        List<AcquisitionId> others = ids.subList(0, longer);
        meter.step(part, "acquire", each(others, id -> acquired(id, lease)));
        LeaseSpan brief = new LeaseSpan(SHORT.toNanos());
        meter.step(part, "acquire", each(ids.subList(longer, holds), id -> acquired(id, brief)));
        Poller poller = new Poller(polled);
        long begun = System.nanoTime();
        for (int from = 0; live.applyAsLong(key) > longer; from = (from + RENEWED_BETWEEN_POLLS) % longer) {
            Probe.demand(
                    System.nanoTime() - begun < LIMIT.toNanos(), part + ": the lock still counts holds that ended");
            meter.briefStep(part, "poll", List.of(poller));
            List<AcquisitionId> some = others.subList(from, Math.min(from + RENEWED_BETWEEN_POLLS, longer));
            meter.briefStep(part, "renew", each(some, this::renewed));
            meter.briefStep(part, renewal(SMALL_BATCH), batches(some, SMALL_BATCH));
            Pause.of(Duration.ofMillis(1));
        }
        meter.step(part, "renew", each(others, this::renewed));
        meter.step(part, renewal(SMALL_BATCH), batches(others, SMALL_BATCH));
        meter.step(part, "release", each(others, this::released));
    }

    private List<AcquisitionId> ids(int count) {
        return IntStream.range(0, count)
                .mapToObj(n -> AcquisitionId.next(random))
                .toList();
    }

    private static List<BooleanSupplier> each(List<AcquisitionId> ids, Function<AcquisitionId, Boolean> call) {
        return ids.stream().<BooleanSupplier>map(id -> () -> call.apply(id)).toList();
    }

    private List<BooleanSupplier> batches(List<AcquisitionId> ids, int size) {
        List<BooleanSupplier> calls = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += size) {
            List<AcquisitionId> some = ids.subList(from, Math.min(from + size, ids.size()));
            calls.add(() -> renewed(some));
        }
        return calls;
    }

    private boolean acquired(AcquisitionId id, LeaseSpan span) {
        return meter.send(request(key, id, owner.apply(id), span, Waiter.NONE)).code() == AcquireHold.Code.GRANTED;
    }

    private AcquireHold request(LockKey lock, AcquisitionId id, OwnerKey by, LeaseSpan span, Waiter waiter) {
        return new AcquireHold(lock, id, by, span, ANY_TIME, new TokenFloor(0), HOLDER, waiter, TIMEOUT);
    }

    /** A waiter that polls, and keeps its position. */
    private final class Poller implements BooleanSupplier {

        private final LockKey polled;
        private final AcquisitionId id = AcquisitionId.next(random);
        private long position;

        Poller(LockKey polled) {
            this.polled = polled;
        }

        @Override
        public boolean getAsBoolean() {
            Waiter waiter = new Waiter("poller", position);
            AcquireHold.Answer answer = meter.send(request(polled, id, OwnerKey.anonymous(id), lease, waiter));
            boolean kept = position == 0 || position == answer.position();
            position = answer.position();
            return kept && answer.code() == AcquireHold.Code.BUSY;
        }
    }

    private boolean renewed(AcquisitionId id) {
        return meter.send(new RenewHold(key, id, lease, TIMEOUT)).code() == RenewHold.Code.RENEWED;
    }

    private boolean renewed(List<AcquisitionId> ids) {
        List<RenewHolds.Entry> entries =
                ids.stream().map(id -> new RenewHolds.Entry(key, id)).toList();
        return meter.send(new RenewHolds(lease, entries, TIMEOUT)).results().stream()
                .allMatch(each -> each.orThrow().code() == RenewHold.Code.RENEWED);
    }

    private boolean released(AcquisitionId id) {
        return meter.send(new ReleaseHold(key, id, lease, false, ServerTime.NONE, TIMEOUT))
                        .code()
                == ReleaseHold.Code.RELEASED;
    }
}
