package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.lettuce.Ledger.Hold;
import dev.leasehold.lettuce.Ledger.Mode;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients of this version and of a former one share locks, as during a rolling upgrade. {@code .ci/with-former} builds the former version
 * and runs this test; no other command selects it.
 */
@WithRedis
class MixedVersionsIT {

    static final String PRESENT = "present";
    static final String FORMER = "former";

    private static final Logger LOG = LoggerFactory.getLogger(MixedVersionsIT.class);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int THREADS = 3;
    private static final int ACTS = 400;
    private static final LockOptions OPTIONS =
            LockOptions.builder().leaseTime(Duration.ofSeconds(6)).build();

    private final EmbeddedRedis redis;
    private final FormerVersion formerVersion = new FormerVersion();
    private final List<Leasehold> clients = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private Leasehold present;

    @SuppressWarnings("NullAway.Init")
    private Leasehold former;

    MixedVersionsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void connect() {
        present = opened(Leasehold.connect(redis.uri()));
        former = opened(formerVersion.connect(redis.uri(), null));
    }

    @AfterEach
    void disconnect() throws IOException {
        clients.forEach(Leasehold::close);
        formerVersion.close();
    }

    private Leasehold opened(Leasehold client) {
        clients.add(client);
        return client;
    }

    private Leasehold client(String side) {
        return side.equals(PRESENT) ? present : former;
    }

    private Leasehold other(String side) {
        return side.equals(PRESENT) ? former : present;
    }

    /** Connects a client of the other side whose timers stand still, so that its waiters do not poll. */
    private Leasehold otherWithoutPolls(String side) {
        ManualClock clock = ManualClock.create();
        return opened(
                side.equals(PRESENT)
                        ? formerVersion.connect(redis.uri(), clock)
                        : Leasehold.builder().uri(redis.uri()).timer(clock).build());
    }

    private long calls() {
        String count = redis.info("commandstats").getOrDefault("cmdstat_evalsha", "calls=0,");
        return Long.parseLong(count.substring("calls=".length(), count.indexOf(',')));
    }

    private void untilNobodyAsks() {
        AtomicLong asked = new AtomicLong(-1);
        await().atMost(LIMIT).during(Duration.ofMillis(300)).until(() -> asked.getAndSet(calls()) == asked.get());
    }

    /** Walks by several threads of two clients, and asserts what holds for any two. */
    private Ledger walk(Leasehold one, String nameOfOne, Leasehold two, String nameOfTwo, List<String> locks, long seed)
            throws InterruptedException {
        Ledger ledger = new Ledger();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < THREADS; n++) {
            long own = 1000 * seed + 2L * n;
            threads.add(new Thread(new MixedWalk(nameOfOne, one, nameOfTwo, two, ledger, locks, own, ACTS)));
            threads.add(new Thread(new MixedWalk(nameOfTwo, two, nameOfOne, one, ledger, locks, own + 1, ACTS)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        LOG.info(
                "{} and {}, seed {}: longest free in ms {}, readers with two tokens {}",
                nameOfOne,
                nameOfTwo,
                seed,
                ledger.longestFree(),
                ledger.tokensOfReaders());
        assertThat(ledger.faults()).isEmpty();
        for (String lock : locks) {
            assertThat(ledger.handOvers(lock))
                    .as(lock)
                    .containsKeys(nameOfOne + ">" + nameOfTwo, nameOfTwo + ">" + nameOfOne);
            await().atMost(LIMIT).until(() -> one.lock(lock).inspect().isEmpty());
        }
        return ledger;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void clientsOfBothVersionsShareAllKindsOfLocks(long seed) throws InterruptedException {
        walk(present, PRESENT, former, FORMER, MixedWalk.ALL, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void tokensOfWritersAndReadersOfBothVersionsRise(long seed) throws InterruptedException {
        walk(present, PRESENT, former, FORMER, List.of("rw"), seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void readersOfClientsOfThisVersionHaveOneToken(long seed) throws InterruptedException {
        Ledger ledger = walk(present, PRESENT, opened(Leasehold.connect(redis.uri())), "second", List.of("rw"), seed);
        assertThat(ledger.tokensOfReaders()).isEmpty();
    }

    static Stream<Arguments> kindsThatWait() {
        Map<String, Function<Leasehold, List<Acquirable<Lease>>>> kinds = Map.of(
                "mutex", client -> List.of(client.lock("lock").with(OPTIONS)),
                "fair", client -> List.of(client.fairLock("lock").with(OPTIONS)),
                "write, read",
                        client -> List.of(
                                client.readWriteLock("lock").writeLock().with(OPTIONS),
                                client.readWriteLock("lock").readLock().with(OPTIONS)),
                "read, write",
                        client -> List.of(
                                client.readWriteLock("lock").readLock().with(OPTIONS),
                                client.readWriteLock("lock").writeLock().with(OPTIONS)),
                "permits", client -> List.of(client.semaphore("lock", 1).with(OPTIONS)),
                "retained",
                        client -> List.of(client.lock("lock")
                                .with(OPTIONS.toBuilder()
                                        .retainFor(Duration.ofSeconds(1))
                                        .build())));
        return kinds.entrySet().stream()
                .flatMap(kind ->
                        Stream.of(PRESENT, FORMER).map(holder -> Arguments.of(kind.getKey(), holder, kind.getValue())));
    }

    @ParameterizedTest(name = "{0}, holder {1}")
    @MethodSource("kindsThatWait")
    void aReleaseWakesAWaiterOfTheOtherVersion(
            String kind, String holder, Function<Leasehold, List<Acquirable<Lease>>> locks)
            throws InterruptedException {
        Lease held = locks.apply(client(holder)).get(0).acquire();
        List<Acquirable<Lease>> theirs = locks.apply(otherWithoutPolls(holder));
        CompletableFuture<Lease> waiter =
                theirs.get(theirs.size() - 1).acquireAsync().toCompletableFuture();
        await().atMost(LIMIT)
                .until(() ->
                        !present.lock("lock").inspect().orElseThrow().waiters().isEmpty());
        untilNobodyAsks();
        assertThat(waiter).isNotDone();
        held.release();
        await().atMost(LIMIT).until(waiter::isDone);
        assertThat(waiter.join().isHeld()).isTrue();
        waiter.join().release();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void aForcedReleaseTakesALockAwayFromAHolderOfTheOtherVersion(String holder) throws InterruptedException {
        Lease held = client(holder).lock("lock").with(OPTIONS).acquire();
        Queue<LossEvent> lost = new ConcurrentLinkedQueue<>();
        held.onLost(lost::add);
        assertThat(other(holder).lock("lock").forceRelease()).isTrue();
        Lease next = other(holder).lock("lock").with(OPTIONS).acquire();
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        await().atMost(LIMIT).until(() -> !lost.isEmpty());
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
        next.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void aForcedReleaseWithAnotherTokenLeavesAHolderOfEitherVersionAlone(String holder) throws InterruptedException {
        Lease held = client(holder).lock("lock").with(OPTIONS).acquire();
        DistributedLock lock = present.lock("lock");
        assertThat(lock.forceRelease(held.fencingToken() - 60_000_000)).isFalse();
        assertThat(lock.forceRelease(held.fencingToken() + 60_000_000)).isFalse();
        held.ensureHeld();
        held.release();
        Lease again = client(holder).lock("lock").with(OPTIONS).acquire();
        assertThat(lock.forceRelease(again.fencingToken())).isTrue();
        assertThatThrownBy(again::release).isInstanceOf(LeaseLostException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void aHolderIsAskedByTheOtherVersionToRelease(String holder) throws InterruptedException {
        Lease held = client(holder).lock("lock").with(OPTIONS).acquire();
        Queue<ReleaseRequestedEvent> asked = new ConcurrentLinkedQueue<>();
        held.onReleaseRequested(asked::add);
        assertThat(other(holder).lock("lock").requestRelease()).isTrue();
        await().atMost(LIMIT).until(() -> !asked.isEmpty());
        held.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void anExportedLeaseIsResumedByTheOtherVersionOnce(String holder) throws InterruptedException {
        Lease held = client(holder).lock("lock").with(OPTIONS).acquire();
        String exported = held.export();
        Lease resumed = other(holder).resume(exported, OPTIONS);
        assertThat(resumed.fencingToken()).isGreaterThan(held.fencingToken());
        assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
        resumed.ensureHeld();
        assertThat(client(holder).lock("lock").tryAcquire()).isEmpty();
        resumed.release();
        assertThat(client(holder).lock("lock").tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void aNamedOwnerHasALockThroughClientsOfBothVersions(String first) throws InterruptedException {
        OwnedLock here = client(first).lock("lock").with(OPTIONS).ownedBy("owner");
        OwnedLock there = other(first).lock("lock").with(OPTIONS).ownedBy("owner");
        Lease one = here.acquire();
        Lease two = there.acquire();
        assertThat(here.holdCount()).isEqualTo(2);
        assertThat(there.holdCount()).isEqualTo(2);
        assertThat(other(first).lock("lock").ownedBy("another").tryAcquire()).isEmpty();
        one.release();
        assertThat(client(first).lock("lock").ownedBy("another").tryAcquire()).isEmpty();
        two.ensureHeld();
        two.release();
        assertThat(client(first).lock("lock").ownedBy("another").tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void aDowngradeLetsReadersOfTheOtherVersionInAndWritersNot(String holder) throws InterruptedException {
        DistributedReadWriteLock lock = client(holder).readWriteLock("lock");
        Lease write = lock.writeLock().with(OPTIONS).acquire();
        DistributedReadWriteLock theirs = other(holder).readWriteLock("lock");
        assertThat(theirs.readLock().tryAcquire()).isEmpty();
        Lease read = lock.downgrade(write);
        assertThat(read.fencingToken()).isGreaterThan(write.fencingToken());
        assertThat(theirs.writeLock().tryAcquire()).isEmpty();
        Lease beside = theirs.readLock().with(OPTIONS).acquire();
        assertThat(beside.fencingToken()).isGreaterThan(write.fencingToken());
        read.ensureHeld();
        read.release();
        beside.release();
        Lease next = theirs.writeLock().with(OPTIONS).acquire();
        assertThat(next.fencingToken()).isGreaterThan(Math.max(read.fencingToken(), beside.fencingToken()));
        next.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void aLatchOpensAfterTheCountDownsOfBothVersions(String side) throws Exception {
        assertThat(Latches.of(client(side)).latch("latch").trySet(4, LIMIT)).isTrue();
        var here = Latches.of(client(side)).latch("latch").awaitAsync(LIMIT).toCompletableFuture();
        var there = Latches.of(other(side)).latch("latch").awaitAsync(LIMIT).toCompletableFuture();
        assertThat(Latches.of(client(side)).latch("latch").countDown()).isEqualTo(3);
        assertThat(Latches.of(other(side)).latch("latch").countDown("a")).isEqualTo(2);
        assertThat(Latches.of(client(side)).latch("latch").countDown("a")).isEqualTo(2);
        assertThat(Latches.of(other(side)).latch("latch").countDown()).isEqualTo(1);
        assertThat(here).isNotDone();
        assertThat(there).isNotDone();
        Latches.of(client(side)).latch("latch").countDown();
        assertThat(here.get()).isTrue();
        assertThat(there.get()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {PRESENT, FORMER})
    void candidatesOfBothVersionsLeadInTurns(String first) {
        Ledger ledger = new Ledger();
        Map<String, AtomicInteger> terms = Map.of(PRESENT, new AtomicInteger(), FORMER, new AtomicInteger());
        Map<String, Candidacy> candidacies = new ConcurrentHashMap<>();
        for (String side : List.of(first, first.equals(PRESENT) ? FORMER : PRESENT)) {
            candidacies.put(
                    side,
                    Elections.of(client(side))
                            .election("election")
                            .with(OPTIONS)
                            .stand(new Leader(side, ledger, terms)));
        }
        for (int n = 1; n <= 5; n++) {
            int wanted = n;
            terms.forEach((side, led) -> await().atMost(LIMIT).until(() -> {
                candidacies.forEach((each, candidacy) -> {
                    if (!each.equals(side) && candidacy.isLeader()) {
                        candidacy.resign();
                    }
                });
                return led.get() >= wanted;
            }));
        }
        candidacies.values().forEach(Candidacy::close);
        assertThat(ledger.faults()).isEmpty();
    }

    /** Tells the ledger of its terms. */
    private static final class Leader implements LeaderListener {
        private final String side;
        private final Ledger ledger;
        private final Map<String, AtomicInteger> terms;
        private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();

        Leader(String side, Ledger ledger, Map<String, AtomicInteger> terms) {
            this.side = side;
            this.ledger = ledger;
            this.terms = terms;
        }

        @Override
        public void onElected(Term term) {
            holds.add(
                    ledger.request(side, "election", Mode.EXCLUSIVE).granted(term.fencingToken(), 1, 1, term::isHeld));
            terms.getOrDefault(side, new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void onDemoted(Term term, DemotionReason reason) {
            holds.remove().ending();
        }
    }
}
