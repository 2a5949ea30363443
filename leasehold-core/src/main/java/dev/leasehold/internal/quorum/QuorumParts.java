package dev.leasehold.internal.quorum;

import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a quorum gets from outside.
 *
 * @param time the clocks
 * @param timer the timing wheel
 * @param threads runs what may block; as many threads as needed
 * @param jitter random numbers from 0 to 1
 * @param marker the key by which a server knows since when it remembers
 * @param longest the longest lease of the quorum, with what clocks may drift
 * @param retention how long a key outlives its last use
 * @param nodeTimeoutNanos how long to wait for one server, at the most
 * @param commandNanos how long a caller waits for an answer, at the most
 */
public record QuorumParts(
        TimeSource time,
        Timer timer,
        Executor threads,
        DoubleSupplier jitter,
        String marker,
        LeaseSpan longest,
        Retention retention,
        long nodeTimeoutNanos,
        long commandNanos) {

    private static final Logger LOG = LoggerFactory.getLogger(QuorumParts.class);

    /** Runs it on a thread of its own; not at all once the client is closed. */
    public void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the client is closed", e);
        }
    }

    /** The same, later. */
    public void runAfter(Runnable task, long delayNanos) {
        timer.schedule(() -> run(task), delayNanos);
    }
}
