package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.TooFewReplicasException;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.RedisReplyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Locks that require acknowledgements of replicas, on a primary with two: the result is a true count, or no lock. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it has replicas of its own")
class DurabilityContract extends WiredBase {

    /** For grants that replicas acknowledge, however busy the machine is. */
    private static final Duration PATIENT = Duration.ofSeconds(6);

    /** For grants that they acknowledge, and later refuse. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** For requests that they do not acknowledge. */
    private static final Duration HASTY = Duration.ofMillis(150);

    private final List<EmbeddedRedis> replicas = new ArrayList<>();

    /** Returns a site of its own: it gets replicas, and restarts. */
    @Override
    Site site() {
        return topology().start(Site.settings().enableDebugCommand().config("repl-diskless-sync-delay", "0"));
    }

    /** Starts the two replicas. */
    @BeforeParameterizedClassInvocation
    protected void startReplicas() {
        for (int i = 0; i < 2; i++) {
            replicas.add(EmbeddedRedis.builder()
                    .config("replicaof", server().host(), String.valueOf(server().port()))
                    .start());
        }
        untilBothFollow();
    }

    /** Ends the replicas. */
    @AfterParameterizedClassInvocation
    protected void stopReplicas() {
        replicas.forEach(EmbeddedRedis::close);
        replicas.clear();
    }

    /** Resumes the replicas that a test has stopped. */
    @AfterEach
    protected void followAgain() {
        for (EmbeddedRedis replica : replicas) {
            if (replica.isPaused()) {
                replica.resume();
            }
            replica.command("REPLICAOF", server().host(), String.valueOf(server().port()));
        }
        untilBothFollow();
    }

    /** Waits until both are online and have all data. */
    private void untilBothFollow() {
        await().until(() -> Objects.equals(server().command("WAIT", "2", "1000"), 2L)
                && Objects.equals(server().info("replication").get("connected_slaves"), "2"));
        String last = String.valueOf(System.nanoTime());
        // When it requests replicas, it soon has them.
        await().ignoreExceptionsInstanceOf(RedisReplyException.class)
                .until(() -> server().command("SET", "last", last) != null);
        for (EmbeddedRedis replica : replicas) {
            await().until(() -> last.equals(replica.command("GET", "last")));
        }
        server().command("DEL", "last");
    }

    private static LockOptions durable(int replicas) {
        return lease(20_000).toBuilder().replicas(replicas, PATIENT).build();
    }

    private static LockOptions hasty(int replicas) {
        return lease(3000).toBuilder().replicas(replicas, HASTY).build();
    }

    /**
     * Stops a replica. Both replicas have acknowledged all earlier writes: a count that does not refer to this
     * write would be too high.
     */
    private void stop(int number) {
        if (replicas.stream().noneMatch(EmbeddedRedis::isPaused)) {
            untilBothFollow();
        }
        replicas.subList(0, number).forEach(EmbeddedRedis::pause);
    }

    private static TooFewReplicasException refusal(Acquirable<?> lock) {
        return refusal(lock::tryAcquire);
    }

    private static TooFewReplicasException refusal(ThrowingCallable acquiring) {
        return assertThatExceptionOfType(TooFewReplicasException.class)
                .isThrownBy(acquiring)
                .actual();
    }

    private long waits() {
        return server().commandCounts().getOrDefault("wait", 0L);
    }

    /** Without the one that tracks keys, which a client opens when it holds a lease for a while. */
    private long connections() {
        return String.valueOf(server().command("CLIENT", "LIST"))
                .lines()
                .filter(line ->
                        line.contains(" name=" + (way().isByUri() ? "leasehold" : TransportCalls.CLIENT_NAME) + " ")
                                && !line.matches(".* flags=\\w*t\\w* .*"))
                .count();
    }

    @Test
    void whenALockIsAcquiredEveryReplicaHasIt() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name).with(durable(2));
        for (int i = 0; i < 20; i++) {
            try (Lease lease = lock.acquire()) {
                String own = field(name, "own");
                for (EmbeddedRedis replica : replicas) {
                    assertThat(replica.command("HGET", key(name), "own")).isEqualTo(own);
                }
                assertThat(lease.extend(Duration.ofMinutes(1))).isTrue();
                String hold = field(name, "h:" + own);
                for (EmbeddedRedis replica : replicas) {
                    assertThat(replica.command("HGET", key(name), "h:" + own)).isEqualTo(hold);
                }
            }
        }
        isGivenBack(name);
    }

    @Test
    void tooFewAcknowledgementsAreARefusalThatSaysHowManyAndNothingStaysHeld() throws Exception {
        // hazard 32: on any other connection WAIT would count both.
        String name = name();
        Leasehold client = client();
        DistributedLock lock = client.lock(name).with(hasty(2));
        stop(1);
        TooFewReplicasException one = refusal(lock);
        assertThat(one.wanted()).isEqualTo(2);
        assertThat(one.acknowledged()).isEqualTo(1);
        assertThat(one.mayBeTaken()).isTrue();
        assertThat(one)
                .hasMessageContaining(name)
                .hasMessageContaining("1 of 2 replicas")
                .hasMessageContaining("150 ms");
        isGivenBack(name);
        try (Lease lease = lock.with(durable(1)).acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
        stop(2);
        assertThat(refusal(lock).acknowledged()).isZero();
        isGivenBack(name);
        assertThat(refusal(lock.with(hasty(1))).acknowledged()).isZero();
        isGivenBack(name);
        try (Lease lease = client.lock(name).acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @TestFactory
    List<DynamicTest> everyKindOfLockIsRefusedWhenTooFewHaveIt() {
        Leasehold client = client();
        Map<String, Function<LockOptions, Acquirable<?>>> kinds = new LinkedHashMap<>();
        DistributedLock fair = client.fairLock(name());
        kinds.put(
                "fair",
                options -> fair.with(
                        options.toBuilder().waitStrategy(WaitStrategy.woken()).build()));
        DistributedLock owned = client.lock(name());
        kinds.put("owned", options -> owned.with(options).ownedBy("order-17"));
        kinds.put("plain", client.lock(name(), Formats.plain())::with);
        kinds.put("write", client.readWriteLock(name()).writeLock()::with);
        kinds.put("read", client.readWriteLock(name()).readLock()::with);
        kinds.put("permit", client.semaphore(name(), 2)::with);
        kinds.put("several", client.allOf(name(), name())::with);
        List<DynamicTest> tests = new ArrayList<>();
        kinds.forEach((kind, lock) -> tests.add(DynamicTest.dynamicTest(kind, () -> {
            try (Lease lease = lock.apply(durable(2)).tryAcquire().orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
            stop(2);
            try {
                assertThat(refusal(lock.apply(hasty(2))).acknowledged()).isZero();
            } finally {
                followAgain();
            }
        })));
        return tests;
    }

    @Test
    void aLeaseIsValidOnlyForAsLongAsReplicasKnowOf() throws Exception {
        // finding 6: a renewal without WAIT would exceed the end that a new primary knows.
        String name = name();
        Leasehold client = client();
        LockOptions options = lease(3000).toBuilder()
                .renewal(Renewal.afterRatio(0.1))
                .replicas(2, SHORT)
                .build();
        Lease lease = client.lock(name).with(options).acquire();
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        String hold = "h:" + field(name, "own");
        String first = field(name, hold);
        await().until(() -> !field(name, hold).equals(first));
        assertThat(replicas)
                .allSatisfy(replica ->
                        await().until(() -> !Objects.equals(replica.command("HGET", key(name), hold), first)));
        stop(1);
        String known = field(name, hold);
        // The primary continues to renew it; that alone does not count.
        await().until(() -> !field(name, hold).equals(known));
        await().until(() -> losses.size() == 1);
        assertThat(losses.element().cause()).isEqualTo(LossCause.UNCONFIRMED);
        assertThat(lease.isHeld()).isFalse();
        isGivenBack(name);
    }

    @Test
    void anExtensionThatTooFewHaveIsNoneAndTheLeaseKeepsItsDeadline() throws Exception {
        LockOptions options = lease(9000).toBuilder().replicas(2, HASTY).build();
        try (Lease lease = acknowledged(client().lock(name()).with(options))) {
            stop(2);
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(20)))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("0 of 2 replicas")
                    .hasMessageContaining("keeps the deadline");
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(9));
        }
    }

    @Test
    void concurrentWaitsForReplicasShareOneRequest() {
        // finding 23: on one connection WAIT is a queue.
        Leasehold client = client();
        stop(2);
        server().resetStats();
        List<CompletableFuture<Lease>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(waiter(client.lock(name()).with(hasty(1))));
        }
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        assertThat(all).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
        // The first is sent alone, and the others while WAIT for it runs.
        assertThat(waits()).isBetween(1L, 3L);
    }

    @Test
    void locksThatReplicasMustHaveAndOthersThatAreAcquiredAtOnceAreJudgedEachByItsOptions() {
        Leasehold client = client();
        stop(2);
        List<CompletableFuture<Lease>> durable = new ArrayList<>();
        List<CompletableFuture<Lease>> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            durable.add(waiter(client.lock(name()).with(hasty(1))));
            others.add(waiter(client.lock(name())));
        }
        await().until(() -> durable.stream().allMatch(CompletableFuture::isDone));
        assertThat(durable).allSatisfy(each -> assertThat(each).isCompletedExceptionally());
        others.forEach(each -> granted(each).release());
    }

    @Test
    void aTermBeginsWhenReplicasHaveIt() {
        String name = name();
        Queue<Term> terms = new ConcurrentLinkedQueue<>();
        LockOptions woken =
                hasty(1).toBuilder().waitStrategy(WaitStrategy.woken()).build();
        stop(2);
        server().resetStats();
        Candidacy candidacy =
                closing(Elections.of(client()).election(name).with(woken).stand(new LeaderListener() {
                    @Override
                    public void onElected(Term term) {
                        terms.add(term);
                    }

                    @Override
                    public void onDemoted(Term term, DemotionReason reason) {
                        // Only elections count.
                    }
                }));
        // The second try follows a refusal of the first.
        await().until(() -> waits() > 1);
        assertThat(terms).isEmpty();
        assertThat(candidacy.isLeader()).isFalse();
        followAgain();
        await().until(() -> !terms.isEmpty());
    }

    @Test
    void aLostAnswerIsRequestedAgainAndCountsOnlyAcknowledgedWrites() {
        // finding 6: a retry that finds its own hold must write, or WAIT would refer to no write.
        String name = name();
        Wiretap wire = wire();
        Leasehold client = client(wire, builder -> {});
        stop(2);
        wire.nextAcquire((call, go) -> go.get().thenCompose(reply -> Wiretap.lost()));
        TooFewReplicasException refusal =
                refusal(() -> client.lock(name).with(hasty(1)).tryAcquire(Duration.ofSeconds(2)));
        assertThat(refusal.acknowledged()).isZero();
        isGivenBack(name);
    }

    @Test
    void aLeaseThatReplicasHaveIsNotHandedToOneThatTheyNeedNotHaveNorTheOtherWayRound() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        LockOptions plain =
                LockOptions.builder().leaseTime(Duration.ofSeconds(9)).build();
        LockOptions durable = plain.toBuilder().replicas(2, SHORT).build();
        Lease first = lock.with(durable).acquire();
        String hold = field(name, "own");
        CompletableFuture<Lease> second = waiter(lock.with(plain));
        untilWaiting(name, 1);
        first.release();
        Lease follows = granted(second);
        assertThat(field(name, "own")).isNotEqualTo(hold);
        CompletableFuture<Lease> third = waiter(lock.with(durable));
        untilWaiting(name, 1);
        stop(2);
        follows.release();
        await().until(third::isDone);
        assertThat(third).isCompletedExceptionally();
        assertThatThrownBy(third::join)
                .hasRootCauseInstanceOf(RuntimeException.class)
                .hasMessageContaining("0 of 2");
    }

    @Test
    void aWriterThatBecameAReaderIsNotifiedOfAForcedReleaseBeforeItsLeaseEnds() {
        String name = name();
        Leasehold client = client();
        LockOptions options = renewedSoon().toBuilder().replicas(1, PATIENT).build();
        Lease writer = client.lock(name).with(options).tryAcquire().orElseThrow();
        Lease reader = client.readWriteLock(name).downgrade(writer);
        Queue<LossCause> causes = new ConcurrentLinkedQueue<>();
        reader.onLost(loss -> causes.add(loss.cause()));
        assertThat(client().lock(name).forceRelease()).isTrue();
        await().until(() -> !causes.isEmpty());
        assertThat(causes).containsExactly(LossCause.DELETED);
        assertThatThrownBy(reader::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void whereWaitIsForbiddenTheRefusalSaysSoAndAllElseWorks() throws Exception {
        server().command("ACL", "SETUSER", "nowait", "on", ">p", "~*", "&*", "+@all", "-wait");
        String name = name();
        Leasehold client = client(server().uri("nowait", "p"), builder -> {});
        TooFewReplicasException refusal = refusal(client.lock(name).with(hasty(1)));
        assertThat(refusal.acknowledged()).isEqualTo(-1);
        assertThat(refusal).hasMessageContaining("NOPERM").hasMessageContaining("Leave replicas(...) out");
        isGivenBack(name);
        try (Lease lease = client.lock(name).acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private boolean hasWaitaof() {
        String[] version =
                server().info("server").getOrDefault("redis_version", "0.0").split("\\.", -1);
        return Integer.parseInt(version[0]) * 100 + Integer.parseInt(version[1]) >= 702;
    }

    @Test
    void onDiskIsRefusedBeforeAnythingIsHeldByAServerThatHasNoWaitaofAndElseHolds() throws Exception {
        String name = name();
        LockOptions onDisk =
                lease(9000).toBuilder().onDisk(0, Duration.ofSeconds(3)).build();
        DistributedLock lock = client().lock(name);
        if (hasWaitaof()) {
            disksAreCounted(name, lock.with(onDisk));
            return;
        }
        server().resetStats();
        assertThatThrownBy(() -> lock.with(onDisk))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onDisk(0, PT3S)")
                .hasMessageContaining(
                        "its version is " + server().info("server").get("redis_version"))
                .hasMessageContaining("replicas(...)");
        assertThatThrownBy(() -> client(server().uri(), builder -> builder.defaults(onDisk)))
                .hasMessageContaining("no WAITAOF");
        assertThat(server().commandCounts()).doesNotContainKeys("evalsha", "waitaof");
        try (Lease lease = lock.with(durable(2)).acquire()) {
            lease.ensureHeld();
        }
    }

    private void disksAreCounted(String name, DistributedLock alone) throws Exception {
        DistributedLock both = alone.with(
                lease(9000).toBuilder().onDisk(1, Duration.ofSeconds(3)).build());
        TooFewReplicasException untold = refusal(alone);
        assertThat(untold.acknowledged()).isEqualTo(-1);
        assertThat(untold).hasMessageContaining("appendonly");
        isGivenBack(name);
        EmbeddedRedis replica = replicas.get(0);
        server().command("CONFIG", "SET", "appendonly", "yes");
        try {
            try (Lease lease = alone.acquire()) {
                assertThat(server().commandCounts()).containsKey("waitaof");
                assertThat(lease.extend(Duration.ofSeconds(20))).isTrue();
            }
            TooFewReplicasException few = refusal(both);
            assertThat(few.acknowledged()).isEqualTo(1);
            isGivenBack(name);
            replica.command("CONFIG", "SET", "appendonly", "yes");
            try (Lease lease = acknowledged(both)) {
                assertThat(replica.command("HGET", key(name), "own")).isEqualTo(field(name, "own"));
                lease.ensureHeld();
            }
        } finally {
            replica.command("CONFIG", "SET", "appendonly", "no");
            server().command("CONFIG", "SET", "appendonly", "no");
        }
    }

    /** Acquires as soon as replicas are fast enough, or have written their file for the first time. */
    private static Lease acknowledged(DistributedLock both) {
        return await().ignoreExceptionsInstanceOf(TooFewReplicasException.class)
                .until(both::tryAcquire, Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void withoutReplicasThereIsNoExtraRequest() throws Exception {
        Leasehold client = client();
        // A lease that is held for a while is checked once.
        boolean atMostOnce = sendsAtMostOnce();
        await().untilAsserted(() -> useIsCounted(client.lock(name()), atMostOnce));
        long before = connections();
        server().resetStats();
        client.lock(name()).with(durable(2)).acquire().release();
        assertThat(waits()).isEqualTo(1);
        assertThat(connections()).isEqualTo(before + 1);
    }

    private void useIsCounted(DistributedLock lock, boolean atMostOnce) throws InterruptedException {
        lock.acquire().release();
        long before = connections();
        server().resetStats();
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
        // Where requests may arrive twice, the lock is not free for the shortest request so soon after its release.
        assertThat(server().commandCounts()).doesNotContainKey("wait").containsEntry("evalsha", atMostOnce ? 2L : 3L);
        assertThat(connections()).isEqualTo(before);
    }

    @Test
    void afterAFailOverToAnyOfThemTheLockIsStillHeldAndToOneThatLaggedItsTokenIsExceeded() throws Exception {
        // hazards 31 and 33.
        String name = name();
        DistributedLock lock = client().lock(name);
        EmbeddedRedis lags = replicas.get(1);
        try (Lease lease = lock.with(durable(2)).acquire()) {
            for (EmbeddedRedis replica : replicas) {
                replica.command("REPLICAOF", "NO", "ONE");
                assertThat(client(replica.uri(), builder -> {}).lock(name).tryAcquire())
                        .isEmpty();
            }
            assertThat(lease.isHeld()).isTrue();
        }
        followAgain();
        lags.command("REPLICAOF", server().host(), "1");
        try (Lease lease = lock.with(durable(1)).acquire()) {
            lags.command("REPLICAOF", "NO", "ONE");
            try (Lease other = client(lags.uri(), builder -> {}).lock(name).acquire(Duration.ofSeconds(5))) {
                assertThat(other.fencingToken()).isGreaterThan(lease.fencingToken());
            }
        }
    }

    @Test
    void aPrimaryThatRestartsEmptyEmptiesItsReplicasAndHoldersAreNotified() throws Exception {
        // hazard 22.
        String name = name();
        Leasehold client = client();
        Lease lease = client.lock(name)
                .with(renewedSoon().toBuilder().replicas(2, PATIENT).build())
                .acquire();
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        server().restartEmpty();
        await().until(() -> losses.size() == 1);
        untilBothFollow();
        assertThat(replicas)
                .allSatisfy(replica ->
                        assertThat(replica.command("EXISTS", key(name))).isEqualTo(0L));
        try (Lease next = client.lock(name).with(durable(2)).acquire(Duration.ofSeconds(10))) {
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }

    @Test
    void aPrimaryThatIsCutOffFromItsReplicasGrantsNoMoreAndItsHoldersLoseTheirLeasesInTime() throws Exception {
        // hazards 24 and 35: with min-replicas-to-write.
        Leasehold client = client();
        Lease lease = client.lock(name()).with(lease(900)).acquire();
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        server().command("CONFIG", "SET", "min-replicas-max-lag", "1");
        server().command("CONFIG", "SET", "min-replicas-to-write", "1");
        try {
            stop(2);
            await().untilAsserted(
                            () -> assertThatThrownBy(() -> client.lock(name()).tryAcquire())
                                    .isInstanceOf(LockUnavailableException.class)
                                    .hasMessageContaining("NOREPLICAS"));
            await().until(() -> losses.size() == 1);
            CompletableFuture<Lease> waiting = waiter(client.lock(name()));
            followAgain();
            granted(waiting).release();
        } finally {
            server().command("CONFIG", "SET", "min-replicas-to-write", "0");
        }
    }
}
