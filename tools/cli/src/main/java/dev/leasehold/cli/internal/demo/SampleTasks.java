package dev.leasehold.cli.internal.demo;

import dev.leasehold.Acquirable;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.cli.internal.demo.SampleTask.Stage;
import dev.leasehold.cli.internal.demo.SampleTask.Work;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** The tasks of {@code demo --keep}: locks of all kinds, with holders and waiters in several processes, and a deadlock. */
final class SampleTasks {

    static final int PROCESSES = 4;

    private static final Duration HAND_OVER_AFTER = Duration.ofMillis(1500);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration POLL_EVERY = Duration.ofMillis(100);
    private static final int DOWNLOADS = 3;

    private SampleTasks() {}

    /** Returns the tasks of all processes. */
    static List<SampleTask> all() {
        return List.of(
                task(1, "feed", Stage.HOLDER, "price-feed", hold(leasehold -> leasehold.lock("price-feed"))),
                task(1, "report", Stage.HOLDER, "nightly-report", hold(SampleTasks::report)),
                task(2, "report", Stage.WAITER, "nightly-report", hold(SampleTasks::report)),
                task(3, "report", Stage.WAITER, "nightly-report", hold(SampleTasks::report)),
                task(
                        4,
                        "billing",
                        Stage.WAITER,
                        "nightly-report",
                        hold(leasehold -> leasehold.lock("nightly-report").ownedBy("billing"))),
                task(2, "order-worker", Stage.WAITER, "order-42", handOver(SampleTasks::order)),
                task(3, "order-worker", Stage.WAITER, "order-42", handOver(SampleTasks::order)),
                task(4, "order-worker", Stage.WAITER, "order-42", handOver(SampleTasks::order)),
                task(1, "catalog-reader", Stage.HOLDER, "catalog", hold(SampleTasks::reader)),
                task(2, "catalog-reader", Stage.HOLDER, "catalog", hold(SampleTasks::reader)),
                task(
                        3,
                        "catalog-writer",
                        Stage.WAITER,
                        "catalog",
                        hold(leasehold -> leasehold.readWriteLock("catalog").writeLock())),
                task(1, "download-1", Stage.HOLDER, "downloads", hold(leasehold -> downloads(leasehold, 1))),
                task(2, "download-2", Stage.HOLDER, "downloads", hold(leasehold -> downloads(leasehold, 2))),
                task(4, "download-3", Stage.WAITER, "downloads", hold(leasehold -> downloads(leasehold, 2))),
                transfer(3, "account-17", "account-42"),
                transfer(4, "account-42", "account-17"));
    }

    private static SampleTask task(int process, String thread, Stage stage, String lock, Work work) {
        return new SampleTask(process, thread, stage, List.of(lock), work);
    }

    /** Acquires two locks one after the other, as the other transfer does in the other order: both wait for each other. */
    private static SampleTask transfer(int process, String from, String to) {
        Work work = (leasehold, acquired) -> {
            while (true) {
                try (Lease first = acquire(leasehold.lock(from))) {
                    acquired.run();
                    while (leasehold.lock(to).inspect().isEmpty()) {
                        pause(POLL_EVERY);
                    }
                    try (Lease second = acquire(leasehold.lock(to))) {
                        pause(HAND_OVER_AFTER);
                    }
                } catch (LeaseLostException | LockUnavailableException e) {
                    // Taken away, or Redis was gone: the transfer begins anew.
                }
            }
        };
        return new SampleTask(process, "transfer", Stage.HOLDER, List.of(from, to), work);
    }

    private static Acquirable<Lease> report(Leasehold leasehold) {
        return leasehold.lock("nightly-report");
    }

    private static Acquirable<Lease> order(Leasehold leasehold) {
        return leasehold.lock("order-42");
    }

    private static Acquirable<Lease> reader(Leasehold leasehold) {
        return leasehold.readWriteLock("catalog").readLock();
    }

    private static Acquirable<Lease> downloads(Leasehold leasehold, int permits) {
        return leasehold.semaphore("downloads", DOWNLOADS).atOnce(permits);
    }

    /** Holds a lock until the process ends, and acquires it again if it is lost or taken away. */
    private static Work hold(Function<Leasehold, Acquirable<Lease>> lock) {
        return (leasehold, acquired) -> {
            while (true) {
                Lease lease = acquire(lock.apply(leasehold));
                acquired.run();
                CountDownLatch lost = new CountDownLatch(1);
                lease.onLost(event -> lost.countDown());
                lost.await();
            }
        };
    }

    /** Holds a lock for a moment, again and again. */
    private static Work handOver(Function<Leasehold, Acquirable<Lease>> lock) {
        return (leasehold, acquired) -> {
            while (true) {
                Lease lease = acquire(lock.apply(leasehold));
                acquired.run();
                pause(HAND_OVER_AFTER);
                try {
                    lease.release();
                } catch (LeaseLostException e) {
                    // Taken away, or Redis was gone: the task waits for it again.
                }
            }
        };
    }

    /** Acquires a lock, however long Redis is gone. */
    private static Lease acquire(Acquirable<Lease> lock) throws InterruptedException {
        while (true) {
            try {
                return lock.acquire();
            } catch (LockUnavailableException e) {
                pause(RETRY_AFTER);
            }
        }
    }

    private static void pause(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
