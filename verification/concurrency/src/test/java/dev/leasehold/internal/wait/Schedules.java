package dev.leasehold.internal.wait;

import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;

/** Schedules of threads, chosen by Lincheck; each runs the same actions, or the search ends at once. */
final class Schedules {

    /** Each costs some tens of milliseconds, most of them for instrumenting the creation of an engine. */
    private static final int MOST = Integer.getInteger("leasehold.schedules", 12);

    /**
     * Lincheck does not report that it considers its search complete because a repeated schedule took another
     * course.
     */
    private static final int LEAST = Math.min(50, MOST * 5 / 6);

    private Schedules() {}

    /**
     * A driver's pause, by a monitor: a missing wake-up is a deadlock, which Lincheck reports, while
     * {@code LockSupport.park} returns spuriously there.
     */
    static final class Pause {
        private boolean woken;

        synchronized void end() {
            woken = true;
            notifyAll();
        }

        synchronized void await() {
            while (!woken) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            woken = false;
        }
    }

    static void explore(Runnable schedule) {
        AtomicInteger explored = new AtomicInteger();
        Lincheck.runConcurrentTest(MOST, () -> {
            explored.incrementAndGet();
            schedule.run();
        });
        check(explored.get() >= LEAST, "explored no more than " + explored + " schedules");
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
