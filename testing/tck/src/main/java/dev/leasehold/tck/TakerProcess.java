package dev.leasehold.tck;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Another JVM that holds a lock and, when it is asked to, waits for a second one. It ends with the JVM that started it. */
public final class TakerProcess implements AutoCloseable {

    private final ChildJvm jvm;

    private TakerProcess(ChildJvm jvm) {
        this.jvm = jvm;
        String unused = jvm.answerTo("held");
    }

    /**
     * Starts a JVM, and waits until it holds the first lock.
     *
     * @param address a URI, or the address of a site; the adapter is found on this JVM's own class path
     * @param first the lock that it holds
     * @param second the lock that it will wait for
     * @return the process
     */
    public static TakerProcess start(String address, String first, String second) {
        return new TakerProcess(new ChildJvm(TakerProcess.class, List.of(address, first, second)));
    }

    /** Lets a thread of the process acquire the second lock; does not wait for that. */
    public void take() {
        String unused = jvm.ask("take");
    }

    /**
     * Stops the process (SIGSTOP).
     *
     * @throws IOException if the signal cannot be sent
     * @throws InterruptedException if this thread is interrupted
     */
    public void freeze() throws IOException, InterruptedException {
        jvm.freeze();
    }

    @Override
    public void close() {
        jvm.close();
    }

    /**
     * Runs the other process: one thread acquires both locks.
     *
     * @param args address, and the names of both locks
     * @throws Exception any failure
     */
    public static void main(String[] args) throws Exception {
        Leasehold leasehold = Site.connect(args[0]);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        Thread taker = new Thread(
                () -> {
                    try {
                        Lease first = leasehold.lock(args[1]).acquire();
                        held.countDown();
                        asked.await();
                        Lease second = leasehold.lock(args[2]).acquire();
                        second.release();
                        first.release();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "taker of " + args[1]);
        taker.setDaemon(true);
        taker.start();
        held.await();
        ChildJvm.serve("held " + args[1], question -> {
            asked.countDown();
            return args[2];
        });
        // The clients are not closed: the parent is gone, and so is everything that they wait for.
        Runtime.getRuntime().halt(0);
    }
}
