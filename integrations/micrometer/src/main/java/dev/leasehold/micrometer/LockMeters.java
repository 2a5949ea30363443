package dev.leasehold.micrometer;

import dev.leasehold.event.FailureReason;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.event.WaitOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The meters of one lock, or of all locks together. */
final class LockMeters {

    private final Map<WaitOutcome, Timer> waits = new EnumMap<>(WaitOutcome.class);
    private final Map<LossCause, Counter> losses = new EnumMap<>(LossCause.class);
    private final Map<FailureReason, Counter> failures = new EnumMap<>(FailureReason.class);
    private final Map<FailureReason, Counter> failedRenewals = new EnumMap<>(FailureReason.class);
    private final Timer released;
    private final Timer lost;
    private final Timer lag;
    private final Counter acquired;
    private final Counter busy;
    private final Counter handoffs;
    private final Counter reused;
    private final Counter deadlocks;
    /** Below 0 for a moment if the end of a lease is reported before its start. */
    private final AtomicLong held = new AtomicLong();

    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong retained = new AtomicLong();

    LockMeters(MeterRegistry registry, Tags tags) {
        for (WaitOutcome outcome : WaitOutcome.values()) {
            waits.put(
                    outcome,
                    Timer.builder("leasehold.wait")
                            .description("Wait times, from the first busy answer")
                            .tags(tags.and("outcome", text(outcome)))
                            .register(registry));
        }
        for (LossCause cause : LossCause.values()) {
            losses.put(
                    cause,
                    Counter.builder("leasehold.lost")
                            .description("Leases lost")
                            .tags(tags.and("cause", text(cause)))
                            .register(registry));
        }
        for (FailureReason reason : FailureReason.values()) {
            Tags tagged = tags.and("reason", text(reason));
            failures.put(reason, counter(registry, tagged, "leasehold.failed", "Acquisitions that failed"));
            failedRenewals.put(
                    reason, counter(registry, tagged, "leasehold.renewal.failed", "Renewals that were not confirmed"));
        }
        released = hold(registry, tags.and("outcome", "released"));
        lost = hold(registry, tags.and("outcome", "lost"));
        lag = Timer.builder("leasehold.renewal.lag")
                .description("Time from the due time of a renewal to its confirmation")
                .tags(tags)
                .register(registry);
        acquired = counter(registry, tags, "leasehold.acquired", "Leases granted");
        busy = counter(
                registry, tags, "leasehold.busy", "Acquisitions that ended without the lock because others held it");
        handoffs = counter(registry, tags, "leasehold.handoffs", "Leases handed off within the process");
        gauge(registry, tags, "leasehold.held", "Leases held now", held);
        gauge(registry, tags, "leasehold.waiting", "Acquisitions waiting now", waiting);
        reused = counter(registry, tags, "leasehold.reused", "Leases that took over a retained hold");
        deadlocks = counter(registry, tags, "leasehold.deadlocks", "Deadlocks found");
        gauge(registry, tags, "leasehold.retained", "Holds retained without a lease now", retained);
    }

    private static Timer hold(MeterRegistry registry, Tags tags) {
        return Timer.builder("leasehold.hold")
                .description("Hold times, from the grant to the end")
                .tags(tags)
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, Tags tags, String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private static void gauge(MeterRegistry registry, Tags tags, String name, String description, AtomicLong of) {
        Gauge unused = Gauge.builder(name, of, number -> Math.max(0, number.get()))
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    void acquired(boolean handedOff) {
        held.incrementAndGet();
        acquired.increment();
        if (handedOff) {
            handoffs.increment();
        }
    }

    void busy() {
        busy.increment();
    }

    void failed(FailureReason reason) {
        Objects.requireNonNull(failures.get(reason)).increment();
    }

    void renewalFailed(FailureReason reason) {
        Objects.requireNonNull(failedRenewals.get(reason)).increment();
    }

    void waiting() {
        waiting.incrementAndGet();
    }

    void waitEnded(WaitOutcome outcome, Duration waited) {
        waiting.decrementAndGet();
        timer(outcome).record(waited);
    }

    private Timer timer(WaitOutcome outcome) {
        return Objects.requireNonNull(waits.get(outcome));
    }

    void renewed(Duration late) {
        lag.record(late);
    }

    void released(Duration time) {
        held.decrementAndGet();
        released.record(time);
    }

    void retained() {
        retained.incrementAndGet();
    }

    void retentionEnded(RetentionOutcome outcome) {
        retained.decrementAndGet();
        if (outcome == RetentionOutcome.REUSED) {
            reused.increment();
        }
    }

    void deadlock() {
        deadlocks.increment();
    }

    void exported() {
        held.decrementAndGet();
    }

    void lost(LossEvent event) {
        if (!event.afterRelease()) {
            held.decrementAndGet();
            lost.record(event.held());
        }
        Objects.requireNonNull(losses.get(event.cause())).increment();
    }
}
