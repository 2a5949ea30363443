package dev.leasehold.internal.quorum;

import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collaborators and settings of a quorum.
 *
 * @param time the clocks
 * @param timer the timing wheel
 * @param threads runs tasks that may block; without an upper bound on threads
 * @param jitter random numbers from 0 to 1
 * @param marker the key by which a server knows since when it has kept its data
 * @param longest the longest lease of the quorum, plus the drift of clocks
 * @param nodeTimeoutNanos the longest time to wait for one server
 * @param commandNanos the longest time that a caller waits for an answer
 */
public record QuorumParts(
        TimeSource time,
        Timer timer,
        Executor threads,
        DoubleSupplier jitter,
        String marker,
        LeaseSpan longest,
        long nodeTimeoutNanos,
        long commandNanos) {

    private static final Logger LOG = LoggerFactory.getLogger(QuorumParts.class);

    /** Runs a task on a separate thread; does nothing once the client is closed. */
    public void run(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the client is closed", e);
        }
    }

    /** Runs a task on a separate thread after a delay. */
    public void runAfter(Runnable task, long delayNanos) {
        timer.schedule(() -> run(task), delayNanos);
    }
}
