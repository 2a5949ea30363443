package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases on three primaries. */
@WithRedisCluster
public abstract class ClusterContract {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private EmbeddedCluster cluster;
    private final Map<String, AtomicInteger> renewals = new ConcurrentHashMap<>();
    private final Map<String, LossEvent> losses = new ConcurrentHashMap<>();
    private Leasehold leasehold;

    /** For subclasses. */
    protected ClusterContract() {}

    /**
     * Takes the servers.
     *
     * @param started for the class, and usable again
     */
    @BeforeEach
    protected void take(EmbeddedCluster started) {
        cluster = started;
        leasehold = builder().build();
    }

    /** How a server ends. */
    enum End {
        STOPPED,
        KILLED;

        private void begin(EmbeddedRedis server) {
            if (this == STOPPED) {
                server.pause();
            } else {
                server.kill();
            }
        }

        private void end(EmbeddedRedis server) {
            if (this == STOPPED) {
                server.resume();
            } else {
                server.restart();
            }
        }
    }

    private LeaseholdBuilder builder() {
        return Leasehold.builder()
                .uri(cluster.uri())
                .commandTimeout(Duration.ofMillis(500))
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals(event.lockName()).incrementAndGet();
                    }

                    @Override
                    public void lost(LossEvent event) {
                        losses.put(event.lockName(), event);
                    }
                });
    }

    /** Closes the client. */
    @AfterEach
    protected void close() {
        leasehold.close();
    }

    private AtomicInteger renewals(String name) {
        return renewals.computeIfAbsent(name, key -> new AtomicInteger());
    }

    private void awaitRenewals(String name, int more) {
        int before = renewals(name).get();
        await().atMost(LIMIT).until(() -> renewals(name).get() >= before + more);
    }

    private DistributedLock lock(String name) {
        return leasehold
                .lock(name)
                .with(LockOptions.builder()
                        .leaseTime(Duration.ofMillis(1500))
                        .waitStrategy(WaitStrategy.polling(Duration.ofMillis(10)))
                        .build());
    }

    private Lease acquire(String name) {
        try {
            return lock(name).acquire(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    private static String name() {
        return "cluster:" + NAMES.incrementAndGet();
    }

    /** Two names whose keys lie in one slot. */
    private List<String> twins() {
        Map<Integer, String> seen = new HashMap<>();
        while (true) {
            String name = name();
            String other = seen.put(cluster.slotOf(key(name)), name);
            if (other != null) {
                return List.of(name, other);
            }
        }
    }

    /** As many names for each node. */
    private Map<EmbeddedRedis, List<String>> names(int each) {
        Map<EmbeddedRedis, List<String>> names = new HashMap<>();
        while (names.size() < 3 || names.values().stream().anyMatch(list -> list.size() < each)) {
            String name = name();
            List<String> list = names.computeIfAbsent(cluster.nodeOf(key(name)), node -> new ArrayList<>());
            if (list.size() < each) {
                list.add(name);
            }
        }
        return names;
    }

    @Test
    void aUriOfOneNodeIsEnoughForLocksOnAll() {
        leasehold.close();
        leasehold = Leasehold.connect(cluster.uris().get(2));
        List<Lease> leases = IntStream.range(0, 30)
                .mapToObj(i -> leasehold.lock(name()).tryAcquire().orElseThrow())
                .toList();
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat((Long) node.command("DBSIZE")).isPositive());
        assertThat(leasehold.inspector().locks())
                .extracting(LockInfo::name)
                .containsExactlyInAnyOrderElementsOf(
                        leases.stream().map(Lease::name).toList());
        leases.forEach(Lease::close);
        assertThat(leasehold.inspector().locks()).isEmpty();
    }

    @Test
    void leasesAreAcquiredRenewedAndReleasedInEveryStepOfAMigration() {
        // hazard 37: two keys in one slot could neither be locked nor released for the length of the migration.
        List<String> twins = twins();
        String held = twins.get(0);
        String other = twins.get(1);
        int slot = cluster.slotOf(key(held));
        EmbeddedRedis from = cluster.nodeOf(slot);
        EmbeddedRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
        Lease lease = acquire(held);
        awaitRenewals(held, 1);

        cluster.beginMigration(slot, to);
        awaitRenewals(held, 2);
        use(other);
        assertThat(lock(held).tryAcquire()).isEmpty();
        cluster.moveKeys(slot);
        awaitRenewals(held, 2);
        use(other);
        assertThat(lock(held).tryAcquire()).isEmpty();
        assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
        lease.release();
        assertThat(losses).isEmpty();

        Lease second = acquire(held);
        assertThat(second.fencingToken()).isGreaterThan(lease.fencingToken());
        // Both keys may still be on either side, as the tombstones are.
        cluster.moveKeys(slot);
        cluster.finishMigration(slot);
        awaitRenewals(held, 2);
        use(other);
        second.release();
        use(held);
        assertThat(losses).isEmpty();
    }

    @Test
    void contendersTakeTurnsInEveryStepOfAMigration() {
        String name = name();
        int slot = cluster.slotOf(key(name));
        EmbeddedRedis home = cluster.nodeOf(slot);
        int first = cluster.nodes().indexOf(home);
        Contest contest = new Contest(name);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Leasehold other = builder().build()) {
            List<CompletableFuture<Void>> contenders = Stream.of(leasehold, other, leasehold, other)
                    .map(client -> CompletableFuture.runAsync(() -> contest.takeTurns(client), threads))
                    .toList();
            for (int i = 1; i <= 3; i++) {
                contest.awaitTurns();
                cluster.beginMigration(slot, cluster.nodes().get((first + i) % 3));
                contest.awaitTurns();
                cluster.moveKeys(slot);
                contest.awaitTurns();
                cluster.finishMigration(slot);
            }
            contest.awaitTurns();
            contest.over = true;
            contenders.forEach(TransportCalls::answer);
        } finally {
            contest.over = true;
            threads.shutdown();
        }
        assertThat(losses).isEmpty();
    }

    /** Who comes by turns, each alone and with a higher token than the one before. */
    private static final class Contest {
        final String name;
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger turns = new AtomicInteger();
        final AtomicLong lastToken = new AtomicLong();
        volatile boolean over;

        Contest(String name) {
            this.name = name;
        }

        void takeTurns(Leasehold client) {
            LockOptions brief =
                    LockOptions.builder().leaseTime(Duration.ofMillis(1500)).build();
            while (!over) {
                try (Lease lease = client.lock(name).with(brief).acquire(LIMIT)) {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    long token = lease.fencingToken();
                    assertThat(lastToken.getAndSet(token)).isLessThan(token);
                    turns.incrementAndGet();
                    inside.decrementAndGet();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        void awaitTurns() {
            int before = turns.get();
            await().atMost(LIMIT).until(() -> turns.get() >= before + 20);
        }
    }

    @Test
    void leasesOfASlotThatIsHalfMovedAreAllRenewed() {
        // Redis refuses a call over keys of both sides: TRYAGAIN.
        List<String> names = namesOfOneSlot(40);
        int slot = cluster.slotOf(key(names.get(0)));
        EmbeddedRedis from = cluster.nodeOf(slot);
        EmbeddedRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
        List<Lease> leases = new ArrayList<>();
        names.subList(0, 20).forEach(name -> leases.add(acquire(name)));
        cluster.beginMigration(slot, to);
        names.subList(20, 40).forEach(name -> leases.add(acquire(name)));
        await().atMost(LIMIT)
                .until(() -> names.stream().allMatch(name -> renewals(name).get() >= 6));
        cluster.moveKeys(slot);
        cluster.finishMigration(slot);
        renewals.clear();
        await().atMost(LIMIT)
                .until(() -> names.stream().allMatch(name -> renewals(name).get() >= 6));
        leases.forEach(Lease::release);
        assertThat(losses).isEmpty();
    }

    private List<String> namesOfOneSlot(int count) {
        String first = name();
        int slot = cluster.slotOf(key(first));
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(n -> first + ":" + n)
                .filter(name -> cluster.slotOf(key(name)) == slot)
                .limit(count)
                .toList();
    }

    /** Takes a lock, has it renewed, and gives it back. */
    private void use(String name) {
        Lease lease = acquire(name);
        awaitRenewals(name, 1);
        lease.release();
        assertThat(lock(name).inspect()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPrimaryThatIsGoneCostsItsOwnLeasesAndNoOthers(End end) {
        // finding 15: one node that does not answer must not hold up the renewals of the others.
        Map<EmbeddedRedis, List<String>> names = names(20);
        Map<String, Lease> leases = names.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(name -> name, name -> acquire(name)));
        EmbeddedRedis dead = cluster.nodes().get(1);
        List<String> doomed = names.remove(dead);
        List<String> healthy = names.values().stream().flatMap(List::stream).toList();
        healthy.forEach(name -> renewals(name).set(0));

        end.begin(dead);
        await().atMost(LIMIT).until(() -> losses.size() >= doomed.size());
        assertThat(losses).containsOnlyKeys(doomed);
        assertThat(losses.values()).extracting(LossEvent::cause).containsOnly(LossCause.UNCONFIRMED);
        assertThat(doomed).allMatch(name -> !of(name, leases).isHeld());
        // For longer than a lease of theirs lasts without renewal.
        await().atMost(LIMIT)
                .until(() -> healthy.stream().allMatch(name -> renewals(name).get() >= 6));
        healthy.forEach(name -> of(name, leases).ensureHeld());
        use(healthyName(dead));
        healthy.forEach(name -> of(name, leases).release());
        assertThat(losses).hasSameSizeAs(doomed);

        end.end(dead);
        cluster.awaitHealthy();
        doomed.forEach(name -> acquire(name).close());
    }

    @Test
    void locksOnAllPrimariesAreTakenTogether() throws Exception {
        List<String> names = names(2).values().stream().flatMap(List::stream).toList();
        List<String> reversed = new ArrayList<>(names);
        Collections.reverse(reversed);
        LockOptions brief =
                LockOptions.builder().leaseTime(Duration.ofMillis(1500)).build();
        MultiLease held = leasehold.allOf(names).with(brief).acquire();
        names.forEach(name -> awaitRenewals(name, 2));
        CompletableFuture<MultiLease> waiting =
                leasehold.allOf(reversed).acquireAsync().toCompletableFuture();
        assertThat(leasehold.allOf(names).tryAcquire()).isEmpty();
        held.release();
        await().atMost(LIMIT).until(waiting::isDone);
        assertThat(names)
                .allSatisfy(
                        name -> assertThat(waiting.join().fencingToken(name)).isGreaterThan(held.fencingToken(name)));
        waiting.join().release();
        assertThat(leasehold.inspector().locks()).isEmpty();
        assertThat(losses).isEmpty();
    }

    private static Lease of(String name, Map<String, Lease> leases) {
        return Objects.requireNonNull(leases.get(name), name);
    }

    private String healthyName(EmbeddedRedis dead) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name())
                .filter(name -> cluster.nodeOf(key(name)) != dead)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClientIsOpenedWhileAPrimaryIsGone() {
        EmbeddedRedis dead = cluster.nodes().get(2);
        dead.pause();
        leasehold.close();
        leasehold = builder().preflight(Preflight.REFUSE).build();
        use(healthyName(dead));
        assertThat(leasehold.inspector().diagnose())
                .filteredOn(finding -> finding.subject().equals("node"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
                    assertThat(finding.text()).startsWith("127.0.0.1:" + dead.port());
                });
        assertThat(leasehold.inspector().diagnose())
                .filteredOn(finding -> finding.subject().equals("rights"))
                .extracting(Finding::level)
                .containsExactly(Finding.Level.FINE);
        dead.resume();
    }
}
