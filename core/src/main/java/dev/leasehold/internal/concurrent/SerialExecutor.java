package dev.leasehold.internal.concurrent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another, in the order in which they were submitted; an exception of one affects no other. Safe for use
 * by any thread.
 */
public final class SerialExecutor implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final SerialLoop loop = new SerialLoop(this::runAll);
    private final Executor executor;

    /** Runs tasks on the thread that submits the first of them; other submitters return immediately. */
    public SerialExecutor() {
        this(Runnable::run);
    }

    /** Runs tasks on threads of an executor. */
    public SerialExecutor(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        loop.signal(executor);
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.error("a bug in Leasehold: one task threw; the others go on", e);
            }
        }
    }
}
