package dev.leasehold.examples.shedlock;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.TlsOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.interop.Formats;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.Latches;
import dev.leasehold.shedlock.JobLease;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import dev.leasehold.springintegration.LeaseholdLockRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockExtender;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** The calls in the tables of docs/migrating.md: compiled, and never called. */
final class Calls {

    private final Leasehold leasehold;
    private final DistributedLock lock;
    private final Lease lease;
    private final Duration wait;
    private final String uri;
    private final String name;

    Calls(Leasehold leasehold, Lease lease, Duration wait, String uri, String name) {
        this.leasehold = leasehold;
        this.lock = leasehold.lock(name);
        this.lease = lease;
        this.wait = wait;
        this.uri = uri;
        this.name = name;
    }

    @SuppressWarnings({"LockNotBeforeTry", "unused"})
    void redisson(int permits, long number) throws Exception {
        consume(Leasehold.connect(uri), Leasehold.builder().uri(uri).tls(TlsOptions.defaults()));
        consume(leasehold.lock(name), leasehold.fairLock(name), leasehold.readWriteLock(name));
        consume(leasehold.semaphore(name, permits), Latches.of(leasehold).latch(name), leasehold.allOf("a", "b"));
        consume(QuorumLeasehold.connect("redis://a", "redis://b", "redis://c"));
        lock.lock();
        consume(lock.tryLock(), lock.tryLock(5, TimeUnit.SECONDS));
        lock.unlock();
        consume(lock.with(
                LockOptions.builder().leaseTime(wait).renewal(Renewal.none()).build()));
        consume(lock.acquireAsync(), lock.tryAcquireAsync(wait), lease.releaseAsync());
        consume(lock.inspect().isPresent(), lock.isHeldByCurrentThread(), lock.holdCount(), lease.remaining());
        consume(lock.forceRelease(), lease.fencingToken(), lock.leaseOfCurrentThread());
        consume(LockOptions.builder().leaseTime(wait), WaitStrategy.polling());
        lease.release();
        consume(lease.isHeld(), lease.extend(wait), lock.tryAcquire(), Formats.redissonPolled());
        consume(
                Latches.of(leasehold).latch(name).round(number),
                Latches.of(leasehold).latch(name).countDown());
        consume(leasehold.readWriteLock(name).writeLock().tryAcquire());
        consume(leasehold.semaphore(name, permits).acquire());
        consume(leasehold.semaphore(name, permits).atOnce(3));
        consume(leasehold.semaphore(name, permits).changePermits(permits));
        consume(leasehold.allOf("a", "b").acquire());
    }

    void springIntegration(LockOptions options, Candidate candidate) throws Exception {
        LeaseholdLockRegistry registry = new LeaseholdLockRegistry(leasehold, "orders:", options);
        consume(registry.obtain("17"), registry.lease("17").fencingToken());
        registry.obtain("17").lock(Duration.ofMinutes(3));
        registry.renewLock("17");
        registry.renewLock("17", Duration.ofMinutes(5));
        registry.expireUnusedOlderThan(60_000);
        registry.executeLocked("17", () -> {});
        consume(new LockRegistryLeaderInitiator(registry, candidate));
        leasehold.close();
    }

    void shedLock(Duration lockAtMostFor, Duration lockAtLeastFor) {
        consume(LeaseholdLockProvider.of(leasehold));
        consume(LeaseholdLockProvider.builder(leasehold).namePrefix("staging:"));
        consume(LeaseholdLockProvider.builder(leasehold).keepAlive());
        consume(LeaseholdLockProvider.builder(leasehold).keepAlive(Duration.ofSeconds(30)));
        LockExtender.extendActiveLock(lockAtMostFor, lockAtLeastFor);
        JobLease.get().ensureHeld();
    }

    void lock4j() throws InterruptedException {
        consume(lock.tryAcquire(Duration.ofSeconds(3)));
        lease.release();
        consume(Renewal.whileHeld(), WaitStrategy.polling(Duration.ofMillis(100)));
        consume(leasehold.lock("lock4j:stock#4711", Formats.plain()));
    }

    private static void consume(Object... used) {
        if (used.length == 0) {
            throw new IllegalArgumentException("nothing is used");
        }
    }
}
