package dev.leasehold.chaos.work;

import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;
import dev.leasehold.chaos.work.Contender.Held;
import dev.leasehold.chaos.work.Contender.UnavailableException;
import dev.leasehold.chaos.work.Contender.Wish;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that repeatedly acquires, works at the resource and releases. It records each action before it starts
 * it, and each result after it; the moment of a claim is one before the query.
 */
final class Worker implements Runnable {

    private static final int SHORTEST_LEASE_MILLIS = 600;
    private static final int STEP_MILLIS = 90;
    private static final int LEASES = 16;
    private static final int TOLD_SECONDS = 4;
    private static final long MILLI = 1_000_000;
    private static final long LONG_MILLIS = 100;
    private static final long CHECK_INTERVAL = 20 * MILLI;
    private static final long RESTS_AFTER_NOTHING = 20 * MILLI;
    private static final int SELDOM = 10;
    private static final String LEAK = "leak";
    private static final String SEMAPHORE = "semaphore";

    /** The time after the end of a wait at which its outcome is no longer awaited. */
    static final long LATE_MILLIS = 10_000;

    private final Order order;
    private final Contender contender;
    private final HistoryFile history;
    private final Pace pace;
    private final AtomicBoolean stopped;
    private final String thread;
    private final Random random;
    private final Resource resource;
    private final Duration lease;

    Worker(Order order, int number, Contender contender, HistoryFile history, Pace pace, AtomicBoolean stopped) {
        this.order = order;
        this.contender = contender;
        this.history = history;
        this.pace = pace;
        this.stopped = stopped;
        thread = Integer.toString(number);
        random = new Random(order.seed() * 1_000_003 + order.process().hashCode() * 31L + number);
        resource = new Resource(order.resource());
        lease = Duration.ofMillis(SHORTEST_LEASE_MILLIS + (long) STEP_MILLIS * random.nextInt(LEASES));
    }

    @Override
    public void run() {
        for (int n = 0; !stopped.get(); n++) {
            long early = pace.early(System.nanoTime());
            if (early > 0) {
                // Checks for orders now and then.
                LockSupport.parkNanos(Math.min(early, CHECK_INTERVAL));
                continue;
            }
            try {
                once(order.process() + "." + thread + "." + n);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void once(String op) throws InterruptedException {
        Wish wish = wish(order.locks().get(random.nextInt(order.locks().size())));
        if (wish.lock().startsWith("short") || wish.lock().startsWith(LEAK)) {
            shortLived(op, wish);
        } else {
            attempt(op, wish, contender);
        }
    }

    private Wish wish(String lock) {
        boolean reads = lock.startsWith("rw") && random.nextInt(4) > 0;
        int kind = random.nextInt(10);
        Duration wait = kind < 2 ? Duration.ZERO : Duration.ofMillis(50 + random.nextInt(kind < 7 ? 500 : 2500));
        // A leader's lease is always renewed.
        return new Wish(lock, lease, random.nextInt(10) < 7 || lock.startsWith("election"), reads, wait);
    }

    /** Uses the lock now and then, by a client that is closed afterwards, except for the kind that leaks. */
    private void shortLived(String op, Wish wish) throws InterruptedException {
        if (random.nextInt(SELDOM) > 0) {
            return;
        }
        Contender own;
        try {
            own = Contenders.connectOnce(order, history);
        } catch (RuntimeException e) {
            // A fault affects the server just now.
            LockSupport.parkNanos(RESTS_AFTER_NOTHING);
            return;
        }
        try {
            attempt(op, wish, own);
        } finally {
            if (!wish.lock().startsWith(LEAK)) {
                own.close();
            }
        }
    }

    private void attempt(String op, Wish wish, Contender by) throws InterruptedException {
        invoked(op, wish, by);
        String lock = wish.lock();
        try {
            if (by instanceof LeaseholdContender leasehold
                    && new LeaseholdUses(this, leasehold, random).use(op, wish)) {
                return;
            }
            Held held = by.acquire(wish);
            if (held == null) {
                add(op, What.BUSY, lock, 0, 0, "");
            } else {
                use(op, wish, held);
            }
        } catch (UnavailableException e) {
            add(op, What.UNAVAILABLE, lock, 0, 0, e.maybe ? "maybe" : "not");
            LockSupport.parkNanos(RESTS_AFTER_NOTHING);
        } catch (RuntimeException e) {
            add(op, What.REFUSED, lock, 0, 0, e.toString());
            LockSupport.parkNanos(RESTS_AFTER_NOTHING);
        }
    }

    void invoked(String op, Wish wish, Contender by) {
        long limit = (wish.timeLimit().isZero() ? by.timeLimit() : wish.timeLimit()).toNanos()
                + LeaseholdUses.requests(wish.lock()) * by.timeLimit().toNanos();
        add(
                op,
                What.INVOKED,
                wish.lock(),
                0,
                lease.toNanos(),
                limit
                        + (wish.renewed() ? " renewed" : " once")
                        + (wish.reads() ? " reads" : "")
                        + (by.retains(wish) ? " retains" : "")
                        + (wish.lock().startsWith(SEMAPHORE) ? " of " + LeaseholdContender.PERMITS : ""));
    }

    /** Returns another lock of the same kind, of which there must be two. */
    String otherLock(String lock) {
        String kind = lock.substring(0, lock.indexOf('-'));
        List<String> others = order.locks().stream()
                .filter(one -> one.startsWith(kind) && !one.equals(lock))
                .toList();
        return others.get(random.nextInt(others.size()));
    }

    void use(String op, Wish wish, Held held) throws InterruptedException {
        CountDownLatch reported = granted(op, wish, held);
        long late = -1;
        if (held(op, wish, held)) {
            // A permit of a semaphore excludes no other, so its holder only reads.
            late = wish.reads() || wish.lock().startsWith(SEMAPHORE) ? read(op, wish, held) : write(op, wish, held);
        }
        if (!held(op, wish, held) && random.nextBoolean() && !reported.await(TOLD_SECONDS, TimeUnit.SECONDS)) {
            // The checker sees that no loss was reported.
            late = -1;
        }
        release(op, wish, held);
        if (late >= 0 && held.token() > 0 && random.nextInt(10) == 0) {
            // A holder should not write now, and the resource refuses it.
            LockSupport.parkNanos(random.nextInt(200) * MILLI);
            resource.write(op, wish.lock(), held.token(), late + 1);
        }
    }

    CountDownLatch granted(String op, Wish wish, Held held) {
        long now = System.nanoTime();
        pace.acquired(now);
        history.add(now, thread, op, What.GRANTED, wish.lock(), held.token(), now + held.leftNanos(), "");
        CountDownLatch reported = new CountDownLatch(1);
        held.onLost(cause -> {
            add(op, What.LOST, wish.lock(), 0, 0, cause);
            reported.countDown();
        });
        return reported;
    }

    boolean held(String op, Wish wish, Held held) {
        long before = System.nanoTime();
        boolean is = held.held();
        if (is) {
            history.add(before, thread, op, What.HELD, wish.lock(), 0, before + held.leftNanos(), "");
        } else {
            add(op, What.NOT_HELD, wish.lock(), 0, 0, "");
        }
        return is;
    }

    private long read(String op, Wish wish, Held held) {
        resource.enter(op, wish.lock(), held.token());
        work(op, wish, held);
        return -1;
    }

    /** Returns the value that it wrote to the register, or -1 if it has written nothing. */
    long write(String op, Wish wish, Held held) {
        Resource.Seen seen = resource.enter(op, wish.lock(), held.token());
        long value = held.token() > 0 ? seen.value() : -1;
        work(op, wish, held);
        if (!held(op, wish, held)) {
            // A holder without the check would write now; the register must refuse it if another has written
            // meanwhile.
            return value >= 0 && resource.write(op, wish.lock(), held.token(), value + 1) ? value + 1 : -1;
        }
        return resource.leave(op, wish.lock(), held.token(), seen.witness() + 1, value < 0 ? -1 : value + 1);
    }

    private void work(String op, Wish wish, Held held) {
        int kind = random.nextInt(200);
        long millis;
        if (kind < 170) {
            return;
        } else if (kind < 192) {
            millis = random.nextInt(15);
        } else if (kind < 199) {
            millis = random.nextInt(150);
        } else {
            // Long enough for a lease that is not renewed to end, and for the loss to be reported.
            millis = random.nextInt((int) (wish.lease().toMillis() * 3));
        }
        boolean checks = millis > LONG_MILLIS;
        long until = System.nanoTime() + millis * MILLI;
        for (long left = until - System.nanoTime(); left > 0 && !stopped.get(); left = until - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, CHECK_INTERVAL));
            if (checks) {
                // Each is a claim, and the last one is shortly before the end.
                checks = held(op, wish, held);
            }
        }
    }

    /** Returns how the release ended. */
    What release(String op, Wish wish, Held held) {
        add(op, What.RELEASING, wish.lock(), 0, 0, "");
        What end = What.RELEASED;
        String note = "";
        try {
            end = held.release() ? What.RELEASED : What.RELEASE_LOST;
        } catch (RuntimeException e) {
            note = "not confirmed: " + e;
        }
        add(op, end, wish.lock(), 0, 0, note);
        return end;
    }

    void add(String op, What what, String lock, long token, long value, String note) {
        history.add(System.nanoTime(), thread, op, what, lock, token, value, note);
    }
}
