package dev.leasehold.examples.quickstart;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.interop.Formats;
import dev.leasehold.jedis.JedisTransport;
import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.springdata.SpringDataTransport;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.UnifiedJedis;

/** One method for each example of the handbook. */
public final class Usage {

    private final Work work;

    /** The work of an example under its lock. */
    public interface Work {

        /**
         * Does the work.
         *
         * @param what the kind of work
         * @param token the fencing token of the lease
         */
        void run(String what, long token);
    }

    /**
     * Creates the examples.
     *
     * @param work the work under a lock
     */
    public Usage(Work work) {
        this.work = work;
    }

    void leases(Leasehold leasehold) throws InterruptedException {
        // example: leases
        DistributedLock lock = leasehold.lock("invoice:4711");

        try (Lease lease = lock.acquire()) { // waits as long as it takes
            work.run("print", lease.fencingToken());
        }
        try (Lease lease = lock.acquire(Duration.ofSeconds(5))) { // waits 5 s at the most, then throws
            work.run("sign", lease.fencingToken());
        }
        Optional<Lease> maybe = lock.tryAcquire(); // does not wait
        maybe.ifPresent(lease -> {
            try (lease) {
                work.run("send", lease.fencingToken());
            }
        });
        lock.run(Duration.ofSeconds(5), lease -> work.run("archive", lease.fencingToken())); // and closes the lease
        // end
    }

    void leaseThatTravels(DistributedLock lock, Executor executor) throws InterruptedException {
        // example: travels
        Lease lease = lock.acquire();
        executor.execute(() -> {
            try (lease) {
                work.run("in another thread", lease.fencingToken());
            }
        });
        // end
    }

    void lockView(Leasehold leasehold) {
        // example: lock-view
        DistributedLock lock = leasehold.lock("invoice:4711");
        lock.lock();
        try {
            lock.lock(); // the same thread: counted here, nothing is sent
            try {
                work.run("print", lock.holdCount());
            } finally {
                lock.unlock();
            }
        } finally {
            lock.unlock();
        }
        // end
    }

    void namedOwner(Leasehold leasehold) throws InterruptedException {
        // example: named-owner
        OwnedLock order = leasehold.lock("stock:17").ownedBy("order-4711");
        try (Lease reserve = order.acquire();
                Lease pay = order.acquire()) { // reentrant, here and in any other process
            work.run("holds " + order.holdCount(), pay.fencingToken());
        }
        // end
    }

    String export(Leasehold leasehold) throws InterruptedException {
        // example: export
        String exported;
        try (Lease lease = leasehold.lock("import:4711").acquire()) {
            work.run("before the restart", lease.fencingToken());
            exported = lease.export(); // from here on close() keeps the hold for resume()
        }
        // end
        return exported;
    }

    void resume(Leasehold leasehold, String exported) {
        // example: resume
        try (Lease lease = leasehold.resume(exported)) { // works once; the lock was never free in between
            work.run("after the restart", lease.fencingToken());
        }
        // end
    }

    void fair(Leasehold leasehold) throws InterruptedException {
        // example: fair
        DistributedLock counter = leasehold.fairLock("counter:3");
        try (Lease lease = counter.acquire(Duration.ofSeconds(30))) { // no waiter overtakes
            work.run("served in turn", lease.fencingToken());
        }
        // end
    }

    void readWrite(Leasehold leasehold) throws InterruptedException {
        // example: read-write
        DistributedReadWriteLock prices = leasehold.readWriteLock("prices");
        try (Lease reader = prices.readLock().acquire(Duration.ofSeconds(30))) { // beside other readers
            work.run("quoted", reader.fencingToken());
        }
        Lease writer = prices.writeLock().acquire(Duration.ofSeconds(30)); // alone
        importPrices();
        try (Lease reader = prices.downgrade(writer)) { // no other writer in between
            work.run("verified", reader.fencingToken());
        }
        // end
    }

    void plain(Leasehold leasehold) throws InterruptedException {
        // example: plain
        DistributedLock shared =
                leasehold.lock("import:prices", Formats.plain()); // the key of redis-py's Lock("import:prices")
        try (Lease lease = shared.acquire(Duration.ofSeconds(30))) {
            lease.ensureHeld();
            importPrices();
        }
        // end
    }

    void several(Leasehold leasehold) throws InterruptedException {
        // example: all-of
        MultiLock accounts = leasehold.allOf("account:1", "account:2"); // in any order: no deadlock
        try (MultiLease lease = accounts.acquire(Duration.ofSeconds(5))) { // all or none, within 5 s
            work.run("debit", lease.fencingToken("account:1"));
            work.run("credit", lease.fencingToken("account:2"));
        }
        // end
    }

    void semaphore(Leasehold leasehold) throws InterruptedException {
        // example: semaphore
        DistributedSemaphore exports = leasehold.semaphore("exports", 5); // the same number everywhere
        try (Lease permit = exports.acquire(Duration.ofSeconds(30))) { // one of five, renewed
            work.run("exported", exports.availablePermits());
        }
        try (Lease permits = exports.atOnce(3).acquire()) { // all three or none
            work.run("exported more", exports.availablePermits());
        }
        // end
    }

    void limitedBatch(Leasehold leasehold, List<String> orders) throws InterruptedException {
        // example: batch-limit
        DistributedSemaphore partner = leasehold.semaphore("partner-api", 5); // the same number everywhere
        for (String order : orders) {
            try (Lease call = partner.acquire(Duration.ofMinutes(1))) { // at most five calls, of all workers together
                work.run("sent " + order, partner.availablePermits());
            }
        }
        // end
    }

    void sharedBatch(Leasehold leasehold, List<String> orders, Predicate<String> isOpen) {
        // example: batch-items
        for (String order : orders) { // the same list in each worker
            Optional<Lease> mine = leasehold.lock("order:" + order).tryAcquire();
            if (mine.isEmpty()) {
                continue; // another worker has this item
            }
            try (Lease lease = mine.get()) {
                if (isOpen.test(order)) { // another worker may have done it since the list was read
                    work.run("sent " + order, lease.fencingToken());
                }
            }
        }
        // end
    }

    private void importPrices() {
        work.run("imported", 0);
    }

    void latch(Leasehold leasehold) throws InterruptedException {
        // example: latch
        DistributedLatch loaded = Latches.of(leasehold).latch("import:2026-11-21");
        loaded.trySet(2, Duration.ofHours(6)); // the first client sets it
        loaded.countDown("part-1"); // in each worker; once for each id
        loaded.countDown("part-2");
        if (loaded.await(Duration.ofMinutes(30))) { // where it goes on
            work.run("all parts are there", loaded.count());
        }
        // end
    }

    void latchRounds(Leasehold leasehold, String worker, long first, long last) throws InterruptedException {
        // example: latch-rounds
        DistributedLatch prices = Latches.of(leasehold).latch("prices");
        for (long day = first; day <= last; day++) { // in each of the two workers
            DistributedLatch round = prices.round(day);
            round.trySet(2, Duration.ofHours(6));
            work.run("part of day " + day, 0);
            round.countDown(worker);
            round.await(); // until both have done their part of the day
        }
        // end
    }

    Candidacy leader(Leasehold leasehold) {
        // example: leader
        Candidacy candidacy = Elections.of(leasehold).election("scheduler").stand(new LeaderListener() {
            @Override
            public void onElected(Term term) {
                work.run("start", term.fencingToken());
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) { // then the lock is released
                work.run("stop: " + reason, term.fencingToken());
            }
        });
        // end
        return candidacy;
    }

    DistributedLock options(Leasehold leasehold) {
        // example: options
        LockOptions options = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(10))
                .renewal(Renewal.afterRatio(0.5).atMost(100))
                .maxHold(Duration.ofMinutes(10))
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(200), 50))
                .interruptOnLoss(true)
                .label("nightly report")
                .build();
        DistributedLock lock = leasehold.lock("report").with(options);
        // end
        return lock;
    }

    Leasehold client(LockOptions options) {
        // example: client
        Leasehold leasehold = Leasehold.builder()
                .uri("redis://localhost:6379")
                .keyPrefix("billing")
                .clientName("billing-7")
                .commandTimeout(Duration.ofSeconds(1))
                .defaults(options)
                .listener(new LeaseholdListener() {
                    @Override
                    public void lost(LossEvent event) {
                        work.run("lost " + event.lockName() + ": " + event.cause(), event.fencingToken());
                    }
                })
                .build();
        // end
        return leasehold;
    }

    QuorumLeasehold quorum() {
        // example: quorum
        QuorumLeasehold quorum =
                QuorumLeasehold.connect("redis://redis-1:6379", "redis://redis-2:6379", "redis://redis-3:6379");
        // end
        return quorum;
    }

    Leasehold lentClient(RedisClient redisClient) {
        // example: lent
        Leasehold leasehold = Leasehold.builder()
                .transport(LettuceTransport.over(redisClient))
                .build();
        // end
        return leasehold;
    }

    Leasehold lentClient(UnifiedJedis jedis) {
        // example: lent-jedis
        Leasehold leasehold =
                Leasehold.builder().transport(JedisTransport.over(jedis)).build();
        // end
        return leasehold;
    }

    Leasehold lentClient(StringRedisTemplate stringRedisTemplate) {
        // example: lent-spring-data
        Leasehold leasehold = Leasehold.builder()
                .transport(SpringDataTransport.over(stringRedisTemplate))
                .build();
        // end
        return leasehold;
    }

    Leasehold withoutRedis() {
        // example: start-without-redis
        Leasehold leasehold = Leasehold.builder()
                .uri("redis://localhost:6379")
                .startWithoutRedis(true)
                .build();
        // end
        return leasehold;
    }

    CompletionStage<Void> async(DistributedLock lock) {
        // example: async
        CompletionStage<Void> done = lock.acquireAsync(Duration.ofSeconds(5)).thenAccept(lease -> {
            try (lease) {
                work.run("without a waiting thread", lease.fencingToken());
            }
        });
        // end
        return done;
    }

    void loss(DistributedLock lock, List<String> pages) throws InterruptedException {
        // example: loss
        try (Lease lease = lock.acquire()) {
            lease.onLost(loss -> work.run("stop: " + loss.cause(), loss.fencingToken()));
            for (String page : pages) {
                lease.ensureHeld(); // throws LeaseLostException once the lease is lost
                work.run(page, lease.fencingToken());
            }
        }
        // end
    }

    void extension(DistributedLock lock) throws InterruptedException {
        // example: extension
        try (Lease lease = lock.acquire()) {
            if (lease.extend(Duration.ofMinutes(2))) { // what remains, and 2 min more
                work.run("left " + lease.remaining().toSeconds() + " s", lease.fencingToken());
            }
        }
        // end
    }

    void outcomes(DistributedLock lock) throws InterruptedException {
        // example: outcomes
        try (Lease lease = lock.acquire(Duration.ofSeconds(5))) {
            work.run("acquired", lease.fencingToken());
        } catch (LockNotAcquiredException e) {
            work.run("busy: others held it all the time", 0);
        } catch (LockUnavailableException e) {
            work.run("unavailable, perhaps taken: " + e.mayBeTaken(), 0);
        } catch (LeaseLostException e) {
            work.run("acquired and lost: " + e.lossCause(), 0);
        }
        // end
    }

    void asked(DistributedLock lock, List<String> pages) throws InterruptedException {
        // example: asked
        try (Lease lease = lock.acquire()) {
            AtomicBoolean wanted = new AtomicBoolean();
            lease.onReleaseRequested(request -> wanted.set(true)); // a client called lock.requestRelease()
            for (int i = 0; i < pages.size() && !wanted.get(); i++) {
                work.run(pages.get(i), lease.fencingToken());
            }
        }
        // end
    }

    boolean inspection(DistributedLock lock) {
        // example: inspection
        lock.inspect()
                .ifPresent(holder -> System.out.printf(
                        "%s: %s, %s on %s, since %s, %d s left%n",
                        holder.name(),
                        holder.owner(),
                        holder.thread(),
                        holder.host(),
                        holder.since(),
                        holder.left().toSeconds()));
        boolean takenAway = lock.inspect()
                .map(holder -> lock.forceRelease(holder.fencingToken()))
                .orElse(false);
        // end
        return takenAway;
    }
}
