package dev.leasehold.examples.shedlock;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.interop.Formats;
import dev.leasehold.springintegration.LeaseholdLockRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;

/** The examples of docs/migrating.md. */
public final class Migrating {

    private Migrating() {}

    static void fromRedisson(Leasehold leasehold, Runnable work) throws InterruptedException {
        // example: from-redisson
        DistributedLock lock = leasehold.lock("order:17"); // was: redisson.getLock("order:17")
        lock.lock(); // or: the same four lines as before
        try {
            work.run();
        } finally {
            lock.unlock();
        }

        Optional<Lease> taken = lock.tryAcquire(Duration.ofSeconds(5)); // was: lock.tryLock(5, SECONDS)
        taken.ifPresent(lease -> {
            try (lease) {
                work.run();
            }
        });
        // end
    }

    static Leasehold inTheFormatOfRedisson(String uri) {
        // example: redisson-format
        Leasehold leasehold = Leasehold.builder()
                .uri(uri)
                .lockFormat("order:*", Formats.redisson()) // lock("order:17") is redisson.getLock("order:17")
                .lockFormat("account:*", Formats.redissonFenced())
                .lockFormat("stock:*", Formats.redissonPolled()) // getSpinLock, getFairLock
                .build();
        // end
        return leasehold;
    }

    static Lease withoutRenewal(Leasehold leasehold) throws InterruptedException {
        // example: without-renewal
        LockOptions tenSeconds = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(10))
                .renewal(Renewal.none())
                .build();
        DistributedLock lock = leasehold.lock("order:17").with(tenSeconds);
        Lease lease = lock.acquire(Duration.ofSeconds(5)); // was: lock.tryLock(5, 10, SECONDS)
        // end
        return lease;
    }

    static String fromSpringIntegration(Leasehold leasehold, Callable<String> work) throws Exception {
        // example: from-spring-integration
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.ofMinutes(1)).build();
        LeaseholdLockRegistry registry = new LeaseholdLockRegistry(leasehold, "orders:", options);
        String result = registry.executeLocked("17", Duration.ofSeconds(5), () -> {
            long token = registry.lease("17").fencingToken(); // for the resource that is written to
            return work.call() + " under " + token;
        });
        // end
        return result;
    }

    /** A class whose method {@code @Lock4j} guarded. */
    public static class Stock {

        private final StringBuilder log = new StringBuilder();

        // example: from-lock4j
        // was: @Lock4j(name = "stock", keys = "#item", acquireTimeout = 3000)
        @dev.leasehold.annotation.Lock(name = "stock:#{#item}", waitTime = "3s")
        public void take(String item) {
            note(item, CurrentLease.get().fencingToken());
        }
        // end

        /**
         * Records a sale.
         *
         * @param item the item that was taken
         * @param token the fencing token
         */
        protected void note(String item, long token) {
            log.append(item).append(' ').append(token).append('\n');
        }
    }

    static boolean fromLockTemplate(Leasehold leasehold, Runnable work) throws InterruptedException {
        // example: from-lock-template
        try (Lease lease = leasehold.lock("stock:4711").acquire(Duration.ofSeconds(3))) { // was: lockTemplate.lock(...)
            work.run();
            return true;
        } catch (LockNotAcquiredException busy) { // was: the result null
            return false;
        }
        // end
    }

    // example: both-locks
    /** For one release: the lock of the former library first, and ours under it. */
    static <T> T underBoth(Lock theirs, DistributedLock ours, Duration wait, Callable<T> work) throws Exception {
        if (!theirs.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("the former lock is taken");
        }
        try (Lease lease = ours.acquire(wait)) {
            return work.call();
        } finally {
            theirs.unlock();
        }
    }
    // end
}
