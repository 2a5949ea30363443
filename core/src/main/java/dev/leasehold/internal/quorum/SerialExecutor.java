package dev.leasehold.internal.quorum;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another, on the thread that submitted the first of them. Other submitters return immediately, so
 * no thread blocks and no task recurses.
 */
final class SerialExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();

    void run(Runnable task) {
        tasks.add(task);
        if (work.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = tasks.poll();
            try {
                if (next != null) {
                    next.run();
                }
            } catch (RuntimeException | Error e) {
                LOG.error("a bug in Leasehold: the handling of one answer threw; the others go on", e);
            }
        } while (work.decrementAndGet() > 0);
    }
}
