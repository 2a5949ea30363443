package dev.leasehold.chaos.work;

import dev.leasehold.Lease;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.OwnedLock;
import dev.leasehold.chaos.history.What;
import dev.leasehold.chaos.work.Contender.Held;
import dev.leasehold.chaos.work.Contender.UnavailableException;
import dev.leasehold.chaos.work.Contender.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What a worker does with locks that need more than an acquisition, of kinds that only Leasehold has. */
final class LeaseholdUses {

    private static final int COUNT = 2;
    private static final Duration EXPIRY = Duration.ofSeconds(8);
    private static final int BETWEEN_MILLIS = 15;
    private static final long MILLI = 1_000_000;

    private final Worker worker;
    private final LeaseholdContender leasehold;
    private final Random random;

    LeaseholdUses(Worker worker, LeaseholdContender leasehold, Random random) {
        this.worker = worker;
        this.leasehold = leasehold;
        this.random = random;
    }

    /** Returns the most requests that an attempt at such a lock sends one after another, beside those of a wait. */
    static int requests(String lock) {
        return lock.startsWith("latch") ? COUNT + 1 : 0;
    }

    /** Uses the lock if it is of such a kind, and returns whether it is. */
    boolean use(String op, Wish wish) throws InterruptedException, UnavailableException {
        if (wish.lock().startsWith("owned")) {
            owned(op, wish);
        } else if (wish.lock().startsWith("several")) {
            several(op, wish);
        } else if (wish.lock().startsWith("election")) {
            election(op, wish);
        } else if (wish.lock().startsWith("latch")) {
            latch(op, wish);
        } else {
            return false;
        }
        return true;
    }

    /**
     * Acquires two or three times as one owner, and counts: whatever was repeated on the way, there are no more
     * holds.
     */
    private void owned(String op, Wish wish) throws InterruptedException, UnavailableException {
        OwnedLock lock = leasehold.owned(wish, op);
        List<Lease> entered = new ArrayList<>();
        int unknown = 0;
        long requestedAt = System.nanoTime();
        try {
            Lease first = lock.tryAcquire(wish.timeLimit()).orElse(null);
            if (first == null) {
                worker.add(op, What.BUSY, wish.lock(), 0, 0, "");
                return;
            }
            entered.add(first);
        } catch (LockUnavailableException e) {
            throw new UnavailableException(e.mayBeTaken(), e);
        }
        // A grant whose answer arrived after its lease was released, and requested again: it may still be there.
        unknown += (int) ((System.nanoTime() - requestedAt) / (wish.lease().toNanos() * 9 / 10));
        Held held = LeaseholdContender.held(entered.get(0));
        CountDownLatch reported = worker.granted(op, wish, held);
        for (int n = random.nextInt(3); n > 0; n--) {
            try {
                lock.tryAcquire(Duration.ofMillis(500)).ifPresent(entered::add);
            } catch (LockUnavailableException e) {
                unknown++;
            }
        }
        try {
            int holds = lock.holdCount();
            worker.add(op, What.COUNTED, wish.lock(), entered.size(), holds, Integer.toString(unknown));
        } catch (LockUnavailableException e) {
            // No answer, nothing to judge.
        }
        long late = worker.held(op, wish, held) ? worker.write(op, wish, held) : -1;
        if (late < 0) {
            worker.held(op, wish, held);
        }
        for (Lease again : entered.subList(1, entered.size())) {
            try {
                again.close();
            } catch (RuntimeException e) {
                // Lost, and the first lease reports it, too.
            }
        }
        if (reported.getCount() > 0) {
            worker.held(op, wish, held);
        }
        worker.release(op, wish, held);
    }

    /** Acquires the lock together with another, and records an acquisition of each. */
    private void several(String op, Wish wish) throws InterruptedException, UnavailableException {
        String other = worker.otherLock(wish.lock());
        Wish second = new Wish(other, wish.lease(), wish.renewed(), false, wish.timeLimit());
        String twin = "+" + op;
        worker.invoked(twin, second, leasehold);
        Optional<MultiLease> granted;
        try {
            granted = leasehold.several(wish, other);
        } catch (LockUnavailableException e) {
            worker.add(twin, What.UNAVAILABLE, other, 0, 0, e.mayBeTaken() ? "maybe" : "not");
            throw new UnavailableException(e.mayBeTaken(), e);
        } catch (RuntimeException e) {
            worker.add(twin, What.REFUSED, other, 0, 0, e.toString());
            throw e;
        }
        if (granted.isEmpty()) {
            worker.add(twin, What.BUSY, other, 0, 0, "");
            worker.add(op, What.BUSY, wish.lock(), 0, 0, "");
            return;
        }
        Held first = LeaseholdContender.held(granted.get(), wish.lock());
        Held next = LeaseholdContender.held(granted.get(), other);
        worker.granted(twin, second, next);
        worker.granted(op, wish, first);
        if (worker.held(twin, second, next)) {
            worker.write(twin, second, next);
        }
        if (worker.held(op, wish, first)) {
            worker.write(op, wish, first);
        }
        worker.held(twin, second, next);
        worker.add(twin, What.RELEASING, other, 0, 0, "");
        worker.add(twin, worker.release(op, wish, first), other, 0, 0, "");
    }

    /** Stands for election, leads for a moment if it is elected in time, and ends the candidacy. */
    private void election(String op, Wish wish) throws InterruptedException {
        Standing standing = leasehold.stand(wish);
        Held term = standing.awaitTerm(wish.timeLimit());
        if (term == null) {
            worker.add(op, What.BUSY, wish.lock(), 0, 0, "");
            standing.close();
        } else {
            worker.use(op, wish, term);
        }
    }

    /** Waits at a latch of its own, which it opens by two count-downs. */
    private void latch(String op, Wish wish) throws InterruptedException {
        var latch = leasehold.latch(wish.lock() + ":" + op);
        latch.trySet(COUNT, EXPIRY);
        AtomicInteger outstanding = new AtomicInteger(COUNT);
        CompletableFuture<Integer> opened = new CompletableFuture<>();
        var awaited = latch.awaitAsync(wish.timeLimit()).toCompletableFuture();
        CompletableFuture<Boolean> unused = awaited.whenComplete((reached, failure) -> {
            if (failure != null) {
                opened.completeExceptionally(failure);
            } else {
                opened.complete(reached ? outstanding.get() : -1);
            }
        });
        try {
            for (int n = 0; n < COUNT; n++) {
                LockSupport.parkNanos(random.nextInt(BETWEEN_MILLIS) * MILLI);
                outstanding.decrementAndGet();
                latch.countDown(op + "." + n);
            }
            int seen = opened.get(wish.timeLimit().toMillis() + Worker.LATE_MILLIS, TimeUnit.MILLISECONDS);
            worker.add(op, seen < 0 ? What.BUSY : What.OPENED, wish.lock(), 0, Math.max(0, seen), "");
        } catch (ExecutionException | TimeoutException e) {
            worker.add(op, What.REFUSED, wish.lock(), 0, 0, String.valueOf(e.getCause() == null ? e : e.getCause()));
        } finally {
            awaited.cancel(false);
        }
    }
}
