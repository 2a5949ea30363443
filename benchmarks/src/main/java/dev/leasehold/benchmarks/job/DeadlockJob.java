package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

/** One thread holds a lock and, when it is ordered to, waits for another one, until the job ends. Reports when the wait began. */
public final class DeadlockJob implements Job {

    /** The name in orders. */
    public static final String NAME = "deadlock";

    private final Grip held;
    private final Grip wanted;
    private final Threads threads = new Threads();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final CompletableFuture<Long> begun = new CompletableFuture<>();

    DeadlockJob(Message order, Subject subject) {
        held = subject.grip(order.text("held"));
        wanted = subject.grip(order.text("wanted"));
    }

    @Override
    public void prepare() throws InterruptedException {
        threads.start("deadlock", this::hold);
        ready.await();
    }

    private void hold() throws InterruptedException {
        try {
            held.acquire();
            ready.countDown();
            go.await();
            begun.complete(System.nanoTime());
            wanted.acquire();
        } finally {
            held.release();
        }
    }

    @Override
    public Message run(Message order) throws InterruptedException {
        go.countDown();
        try {
            return Message.of("done").with("nanos", begun.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
