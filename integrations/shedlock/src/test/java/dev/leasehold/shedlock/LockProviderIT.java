package dev.leasehold.shedlock;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ShedLock's requirements for a lock provider, on a real server and between two clients. */
@WithRedis
class LockProviderIT {

    /** Long enough to be seen, and to be renewed in time, also on a busy machine. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Duration RENEWED = Duration.ofSeconds(3);

    private static final Duration LONG = Duration.ofMinutes(5);

    private final EmbeddedRedis redis;
    private final List<LossEvent> losses = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Leasehold mine;
    private Leasehold theirs;
    private LeaseholdLockProvider provider;
    private LeaseholdLockProvider others;

    LockProviderIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void connect() {
        mine = Leasehold.builder()
                .uri(redis.uri())
                .listener(new LeaseholdListener() {
                    @Override
                    public void lost(LossEvent event) {
                        losses.add(event);
                    }
                })
                .build();
        theirs = Leasehold.connect(redis.uri());
        provider = LeaseholdLockProvider.of(mine);
        others = LeaseholdLockProvider.of(theirs);
    }

    @AfterEach
    void close() {
        redis.resume();
        threads.shutdownNow();
        mine.close();
        theirs.close();
    }

    private static LockConfiguration job(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), "report", atMost, atLeast);
    }

    private static SimpleLock lock(LockProvider from, Duration atMost, Duration atLeast) {
        return from.lock(job(atMost, atLeast)).orElseThrow();
    }

    /** Returns whether another instance could run the job now; releases the lock that it got. */
    private boolean free() {
        Optional<Lease> lease = theirs.lock("job:report").tryAcquire();
        lease.ifPresent(Lease::close);
        return lease.isPresent();
    }

    private Duration left() {
        return theirs.lock("job:report").inspect().orElseThrow().left();
    }

    /** Such options once made unlock() throw, which stops a scheduled job for good. */
    @Test
    void optionsThatAJobDoesNotUseMakeNoTimeOfAJobInvalid() {
        for (LockOptions options : List.of(
                LockOptions.builder().retainFor(Duration.ofSeconds(1)).build(),
                LockOptions.builder().minHold(Duration.ofSeconds(20)).build())) {
            for (LeaseholdLockProvider provider : List.of(
                    LeaseholdLockProvider.builder(mine).options(options).build(),
                    LeaseholdLockProvider.builder(mine)
                            .options(options)
                            .keepAlive()
                            .build(),
                    LeaseholdLockProvider.builder(mine)
                            .options(options)
                            .keepAlive(Duration.ofSeconds(5))
                            .build())) {
                String name = "options-" + System.nanoTime();
                LockConfiguration configuration =
                        new LockConfiguration(ClockProvider.now(), name, Duration.ofSeconds(10), Duration.ofSeconds(5));
                SimpleLock lock = provider.lock(configuration).orElseThrow();
                lock.unlock();
                assertThat(provider.lock(configuration))
                        .as("kept for lockAtLeastFor")
                        .isEmpty();
            }
        }
    }

    @Test
    void aLockIsRefusedToOthersUntilItIsUnlocked() {
        SimpleLock lock = lock(provider, LONG, ZERO);
        assertThat(provider.lock(job(LONG, ZERO))).isEmpty();
        assertThat(others.lock(job(LONG, ZERO))).isEmpty();
        lock.unlock();
        lock(others, LONG, ZERO).unlock();
        assertThat(losses).isEmpty();
    }

    @Test
    void jobsOfOtherNamesAndPrefixesAreOtherLocks() {
        SimpleLock lock = lock(provider, LONG, ZERO);
        Optional<SimpleLock> otherName = others.lock(new LockConfiguration(ClockProvider.now(), "import", LONG, ZERO));
        assertThat(otherName).isPresent();
        Optional<SimpleLock> otherPrefix = LeaseholdLockProvider.builder(theirs)
                .namePrefix("staging:")
                .build()
                .lock(job(LONG, ZERO));
        assertThat(otherPrefix).isPresent();
        otherPrefix.orElseThrow().unlock();
        otherName.orElseThrow().unlock();
        lock.unlock();
    }

    @Test
    void anUnlockedLockIsFreeImmediately() {
        for (int i = 0; i < 10; i++) {
            SimpleLock lock = lock(i % 2 == 0 ? provider : others, LONG, ZERO);
            assertThat(provider.lock(job(LONG, ZERO))).isEmpty();
            lock.unlock();
        }
    }

    @Test
    void aLockIsHeldAtMostForItsTime() {
        SimpleLock lock = lock(provider, SHORT, ZERO);
        assertThat(left()).isLessThanOrEqualTo(SHORT);
        await().until(this::free);
        SimpleLock next = lock(others, LONG, ZERO);
        lock.unlock(); // neither throws nor releases another holder's lock
        assertThat(free()).isFalse();
        next.unlock();
    }

    @Test
    void aLockIsHeldAtLeastForItsTimeThoughItIsUnlocked() {
        SimpleLock lock = lock(provider, LONG, SHORT);
        lock.unlock();
        assertThat(others.lock(job(LONG, ZERO))).isEmpty();
        assertThat(left()).isBetween(Duration.ofMillis(1), SHORT);
        assertThat(theirs.lock("job:report").inspect().orElseThrow().label()).startsWith("done");
        await().until(this::free);
        assertThat(losses).isEmpty();
    }

    /** A lease lasts 50 ms at least. */
    @Test
    void aRestThatIsTooShortForALeaseIsWaitedForAndNotLengthened() {
        SimpleLock lock = lock(provider, LONG, Duration.ofMillis(10));
        Thread.currentThread().interrupt();
        lock.unlock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(theirs.lock("job:report").inspect()).isEmpty();
    }

    /** As ShedLock's own fuzz test: threads that begin short jobs all the time, each held at least for some ms. */
    @Test
    void manyShortJobsEndAndExcludeEachOther() throws Exception {
        int jobs = 25;
        int[] counter = {0};
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            LeaseholdLockProvider one = thread % 2 == 0 ? provider : others;
            running.add(threads.submit(() -> {
                for (int done = 0; done < jobs; ) {
                    Optional<SimpleLock> lock = one.lock(job(LONG, Duration.ofMillis(5)));
                    if (lock.isPresent()) {
                        int before = counter[0];
                        Thread.yield();
                        counter[0] = before + 1;
                        lock.get().unlock();
                        done++;
                    }
                }
            }));
        }
        for (Future<?> each : running) {
            each.get(120, TimeUnit.SECONDS);
        }
        assertThat(counter[0]).isEqualTo(8 * jobs);
        assertThat(losses).isEmpty();
    }

    @Test
    void aLockThatWasHeldForLongEnoughIsFreeWhenItIsUnlocked() {
        SimpleLock lock = lock(provider, LONG, Duration.ofMillis(100));
        await().until(() -> left().compareTo(LONG.minusMillis(150)) < 0);
        lock.unlock();
        assertThat(free()).isTrue();
    }

    @Test
    void aLockThatIsKeptAfterItsJobOutlivesTheClient() {
        lock(provider, LONG, Duration.ofMinutes(1)).unlock();
        mine.close();
        assertThat(left()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
    }

    @Test
    void theLockIsNeverFreeBetweenTheEndOfTheJobAndLockAtLeastFor() throws Exception {
        AtomicReference<String> current = new AtomicReference<>("");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger tries = new AtomicInteger();
        Future<Integer> prying = null;
        for (int i = 0; i < 30; i++) {
            String name = "report-" + i;
            LockConfiguration job = new LockConfiguration(ClockProvider.now(), name, LONG, Duration.ofMinutes(1));
            SimpleLock lock = provider.lock(job).orElseThrow();
            current.set("job:" + name);
            if (prying == null) {
                prying = threads.submit(() -> {
                    int taken = 0;
                    while (!over.get()) {
                        tries.incrementAndGet();
                        taken += theirs.lock(current.get()).tryAcquire().isPresent() ? 1 : 0;
                    }
                    return taken;
                });
            }
            int before = tries.get();
            await().pollDelay(ZERO).pollInterval(Duration.ofMillis(1)).until(() -> tries.get() > before);
            lock.unlock();
        }
        over.set(true);
        assertThat(prying.get(20, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void anExtendedLockOutlivesItsFirstTime() {
        SimpleLock lock = lock(provider, SHORT, ZERO);
        SimpleLock longer = lock.extend(LONG, ZERO).orElseThrow();
        assertThat(left()).isBetween(Duration.ofMinutes(4), LONG.plusSeconds(1));
        longer.unlock();
        assertThat(free()).isTrue();
    }

    @Test
    void aLockIsExtendedManyTimesAndNeverShortened() {
        SimpleLock lock = lock(provider, SHORT, ZERO);
        for (int i = 0; i < 3; i++) {
            lock = lock.extend(LONG, ZERO).orElseThrow();
        }
        lock = lock.extend(SHORT, ZERO).orElseThrow();
        assertThat(left()).isGreaterThan(Duration.ofMinutes(4));
        lock.unlock();
        assertThat(free()).isTrue();
    }

    @Test
    void anExtensionRestartsLockAtLeastFor() {
        SimpleLock lock = lock(provider, LONG, ZERO);
        lock.extend(LONG, Duration.ofMinutes(4)).orElseThrow().unlock();
        assertThat(left()).isBetween(Duration.ofMinutes(3), Duration.ofMinutes(4));
    }

    @Test
    void aLockThatWasExtendedOrUnlockedCannotBeUsedAgain() {
        SimpleLock extended = lock(provider, LONG, ZERO);
        SimpleLock unlocked = extended.extend(LONG, ZERO).orElseThrow();
        assertThatThrownBy(extended::unlock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> extended.extend(LONG, ZERO)).isInstanceOf(IllegalStateException.class);
        unlocked.unlock();
        assertThatThrownBy(unlocked::unlock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> unlocked.extend(LONG, ZERO)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLockThatWasTakenAwayIsNotExtended() throws Exception {
        // In a thread of its own: nothing ends the job, so it remains the current job of its thread.
        SimpleLock taken = threads.submit(() -> lock(provider, LONG, ZERO)).get(20, TimeUnit.SECONDS);
        assertThat(theirs.lock("job:report").forceRelease()).isTrue();
        assertThat(taken.extend(LONG, ZERO)).isEmpty();
        assertThat(free()).isTrue();
    }

    @Test
    void noLeaseIsShorterThanTheTimeForWhichTheLockIsHeldAtLeast() {
        LeaseholdLockProvider alive =
                LeaseholdLockProvider.builder(mine).keepAlive(RENEWED).build();
        SimpleLock lock = lock(alive, LONG, Duration.ofMinutes(1));
        assertThat(left()).isGreaterThan(Duration.ofSeconds(50));
        lock.unlock();
        assertThat(left()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
    }

    @Test
    void shedLocksKeepAliveLockProviderWorksToo() throws Exception {
        var scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            LockProvider alive = new KeepAliveLockProvider(provider, scheduler);
            SimpleLock lock = lock(alive, Duration.ofSeconds(30), ZERO);
            assertThat(free()).isFalse();
            lock.unlock();
            assertThat(free()).isTrue();
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void aLossIsReportedWhileTheJobRuns() throws Exception {
        List<LossEvent> reportedLosses = new CopyOnWriteArrayList<>();
        LockProvider watched = LeaseholdLockProvider.builder(mine)
                .options(LockOptions.builder().interruptOnLoss(true).build())
                .keepAlive(RENEWED)
                .onLost(reportedLosses::add)
                .build();
        List<String> seen = new ArrayList<>();
        new DefaultLockingTaskExecutor(watched)
                .executeWithLock(
                        (Runnable) () -> {
                            assertThat(theirs.lock("job:report").forceRelease()).isTrue();
                            try {
                                new CountDownLatch(1).await(20, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                                seen.add("interrupted");
                            }
                            assertThatThrownBy(() -> JobLease.get().ensureHeld())
                                    .isInstanceOf(LeaseLostException.class);
                        },
                        job(LONG, ZERO));
        assertThat(seen).containsExactly("interrupted");
        await().until(() -> reportedLosses.size() == 1);
        assertThat(reportedLosses.get(0).cause()).isIn(LossCause.DELETED, LossCause.TAKEN_OVER);
    }

    @Test
    void aJobCanGetItsLeaseAndEachRunHasAHigherToken() throws Exception {
        assertThat(JobLease.find()).isEmpty();
        List<Long> tokens = new ArrayList<>();
        for (LockProvider from : List.of(provider, others)) {
            LockingTaskExecutor executor = new DefaultLockingTaskExecutor(from);
            executor.executeWithLock(
                    (Runnable) () -> {
                        long token = JobLease.get().fencingToken();
                        LockExtender.extendActiveLock(LONG, ZERO);
                        assertThat(JobLease.get().fencingToken()).isEqualTo(token);
                        executor.executeWithLock(
                                (Runnable)
                                        () -> assertThat(JobLease.get().name()).isEqualTo("job:inner"),
                                new LockConfiguration(ClockProvider.now(), "inner", LONG, ZERO));
                        assertThat(JobLease.get().name()).isEqualTo("job:report");
                        tokens.add(token);
                    },
                    job(LONG, ZERO));
        }
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
        assertThat(JobLease.find()).isEmpty();
        assertThatThrownBy(JobLease::get).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aJobThatAnotherThreadEndsIsForgotten() throws Exception {
        SimpleLock lock = lock(provider, LONG, ZERO);
        threads.submit(lock::unlock).get(20, TimeUnit.SECONDS);
        assertThat(JobLease.find()).isEmpty();
    }

    @Test
    void runsInTwoInstancesNeverOverlap() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        List<Future<?>> done = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            LockingTaskExecutor executor = new DefaultLockingTaskExecutor(t % 2 == 0 ? provider : others);
            done.add(threads.submit(() -> {
                while (runs.get() < 100) {
                    executor.executeWithLock(
                            (Runnable) () -> {
                                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                runs.incrementAndGet();
                                inside.decrementAndGet();
                            },
                            job(LONG, ZERO));
                }
            }));
        }
        for (Future<?> worker : done) {
            worker.get(30, TimeUnit.SECONDS);
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void aRedisThatDoesNotAnswerIsDistinguishedFromAHeldLock() {
        redis.pause();
        assertThatThrownBy(() -> provider.lock(job(LONG, ZERO)))
                .isInstanceOf(LockException.class)
                .hasCauseInstanceOf(LockUnavailableException.class);
    }

    @Test
    void timesThatCannotBeKeptAreRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> provider.lock(job(Duration.ofMillis(2), ZERO)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lockAtMostFor")
                .hasMessageContaining("job:report");
        assertThatThrownBy(() -> provider.lock(job(Duration.ofDays(2), ZERO)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeaseholdLockProvider.builder(mine)
                        .keepAlive()
                        .options(LockOptions.builder().renewal(Renewal.none()).build())
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeaseholdLockProvider.builder(mine).keepAlive(Duration.ofMillis(60)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(free()).isTrue();
    }
}
