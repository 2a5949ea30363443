package dev.leasehold.tck;

import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Adds to the failure of a test, as a suppressed exception, for how long the machine stood still during the test: then a lease that was
 * lost or an answer that was late may say nothing about the code. Changes no result. JUnit finds it on the class path.
 *
 * <p>A thread sleeps for 10 ms at a time. It was kept from running for as long as it overslept.
 */
public final class MachineStalls implements TestExecutionListener {

    static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int REPORTED = 3;
    private static final int KEPT = 1_000;

    private final LongSupplier clock;
    private final LongConsumer sleep;
    private final Map<String, Long> begun = new ConcurrentHashMap<>();
    private final Deque<Stall> stalls = new ConcurrentLinkedDeque<>();
    private volatile long awakeAt;
    private volatile boolean over;

    private record Stall(long from, long nanos) {}

    /** The message beside a failure; it comes from nowhere in the code. */
    private static final class MachineStoodStill extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MachineStoodStill(String message) {
            super(message, null, false, false);
        }
    }

    /** For JUnit. */
    public MachineStalls() {
        this(System::nanoTime, LockSupport::parkNanos);
    }

    MachineStalls(LongSupplier clock, LongConsumer sleep) {
        this.clock = clock;
        this.sleep = sleep;
        awakeAt = clock.getAsLong();
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        over = false;
        awakeAt = clock.getAsLong();
        Thread thread = new Thread(
                () -> {
                    while (!over) {
                        sleepOnce();
                    }
                },
                "machine-stalls");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        over = true;
    }

    void sleepOnce() {
        sleep.accept(SLEEP_NANOS);
        long now = clock.getAsLong();
        Stall overslept = overslept(now);
        awakeAt = now;
        if (overslept.nanos >= SHORTEST_NANOS) {
            stalls.add(overslept);
            if (stalls.size() > KEPT) {
                stalls.poll();
            }
        }
    }

    private Stall overslept(long now) {
        long from = awakeAt + SLEEP_NANOS;
        return new Stall(from, now - from);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        begun.put(test.getUniqueId(), clock.getAsLong());
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        long from = begun.remove(test.getUniqueId());
        result.getThrowable().ifPresent(failure -> {
            String report = report(from, clock.getAsLong());
            if (!report.isEmpty()) {
                failure.addSuppressed(new MachineStoodStill(report));
            }
        });
    }

    /** Returns the longest stalls since a moment, also one that the thread has not woken from. */
    private String report(long from, long now) {
        List<Stall> during = stalls.stream()
                .filter(stall -> stall.from + stall.nanos - from > 0)
                .collect(Collectors.toList());
        during.add(overslept(now));
        return during.stream()
                .filter(stall -> stall.nanos >= SHORTEST_NANOS)
                .sorted(Comparator.comparingLong(Stall::nanos).reversed())
                .limit(REPORTED)
                .map(stall -> String.format(
                        Locale.ROOT,
                        "The machine stood still for %d ms, %.1f s after the test began.",
                        TimeUnit.NANOSECONDS.toMillis(stall.nanos),
                        Math.max(0, stall.from - from) / 1e9))
                .collect(Collectors.joining(" "));
    }
}
