package dev.leasehold.internal.concurrent;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the same work after each signal, and never twice at a time. A signal during the work lets it run once more, on the
 * thread that runs it already: so the work sees everything that was put before any signal, no signaller waits, and nothing
 * recurses. Safe for use by any thread.
 */
public final class SerialLoop {

    private static final Logger LOG = LoggerFactory.getLogger(SerialLoop.class);

    private final Runnable work;
    private final AtomicInteger signals = new AtomicInteger();

    /**
     * Runs nothing yet.
     *
     * @param work handles all there is to do, for example until its queue is empty
     */
    public SerialLoop(Runnable work) {
        this.work = work;
    }

    /**
     * Lets the work run.
     *
     * @param executor runs it, unless it is running
     * @throws RejectedExecutionException if the executor refuses it; then no later signal has an effect
     */
    public void signal(Executor executor) {
        if (signals.getAndIncrement() == 0) {
            executor.execute(this::run);
        }
    }

    private void run() {
        int seen = signals.get();
        do {
            // No exception may skip the count: a loop that stopped would cost everything that is still to do.
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                LOG.error("a bug in Leasehold: one piece of work threw; the others go on", e);
            }
            seen = signals.addAndGet(-seen);
        } while (seen != 0);
    }
}
