package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another JVM whose clients wait for a lock and release it as soon as they hold it. Each client has its own
 * position in the queue. It ends with the JVM that started it.
 */
final class WaitersProcess {

    private WaitersProcess() {}

    /** Starts it; returns once its positions are taken. */
    static ChildJvm start(String address, String name, int clients) {
        return start(address, name, clients, "plain");
    }

    /** Starts it with a fair lock, so that one client can have all the positions. */
    static ChildJvm startFair(String address, String name, int waiters) {
        return start(address, name, waiters, "fair");
    }

    private static ChildJvm start(String address, String name, int waiters, String kind) {
        ChildJvm jvm = new ChildJvm(WaitersProcess.class, List.of(address, name, Integer.toString(waiters), kind));
        jvm.answerTo("waiting");
        return jvm;
    }

    /**
     * Runs the other process. It answers {@code served} with the number of clients that have held the lock.
     *
     * @param args address, name, number of waiters, and {@code fair} for one client or {@code plain} for one each
     * @throws Exception any failure
     */
    public static void main(String[] args) throws Exception {
        AtomicInteger served = new AtomicInteger();
        List<CompletionStage<Void>> waiters = new ArrayList<>();
        boolean fair = args[3].equals("fair");
        Leasehold shared = Site.connect(args[0]);
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            DistributedLock lock =
                    fair ? shared.fairLock(args[1]) : Site.connect(args[0]).lock(args[1]);
            waiters.add(lock.acquireAsync().thenCompose(lease -> {
                served.incrementAndGet();
                return lease.releaseAsync();
            }));
        }
        ChildJvm.serve("waiting " + waiters.size(), question -> Integer.toString(served.get()));
        // The clients are not closed: the parent is gone, and so is everything that they wait for.
        Runtime.getRuntime().halt(0);
    }
}
