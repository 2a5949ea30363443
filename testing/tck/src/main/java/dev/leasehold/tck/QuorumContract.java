package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.interop.Formats;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedQuorum;
import dev.leasehold.testkit.EmbeddedRedis;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Locks that a majority of five independent servers keeps: exclusion, the effects of dead, frozen and restarted
 * servers, and the rejection of unsuitable servers. It runs over the adapter that is found by the URI.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@On(Topology.STANDALONE)
class QuorumContract extends AnyContract {

    /** So long that no lease ends by itself, and that a wait for a silent server would exceed the limit. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final AtomicInteger NAMES = new AtomicInteger();

    private EmbeddedQuorum quorum;
    private List<EmbeddedRedis> servers;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Starts five servers, and waits until they count. */
    @BeforeParameterizedClassInvocation
    protected void startServers() {
        quorum = EmbeddedQuorum.start();
        servers = quorum.nodes();
        letAllCount();
    }

    /** Ends them. */
    @AfterParameterizedClassInvocation
    protected void stopServers() {
        quorum.close();
    }

    /** Closes the test's resources, and restores the servers. */
    @AfterEach
    protected void restore() throws Exception {
        boolean forgot = false;
        for (EmbeddedRedis server : servers) {
            if (server.isPaused()) {
                server.resume();
            }
            if (!server.isRunning()) {
                server.restartEmpty();
                forgot = true;
            }
        }
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        if (forgot) {
            letAllCount();
        }
    }

    /** A server that lost its data would count only when the longest lease is over. A client writes the marker that tells since when. */
    private void letAllCount() {
        try (Leasehold unused = builder(quorum.uris().toArray(String[]::new)).build()) {
            await().until(() -> servers.stream().allMatch(server -> server.command("GET", "leasehold:quorum") != null));
        }
        quorum.letCount();
    }

    private static long micros(EmbeddedRedis server) {
        List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
        return Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInSameThread().atMost(LIMIT).pollInterval(Duration.ofMillis(10));
    }

    private LeaseholdBuilder builder(String... uris) {
        return Leasehold.builder()
                .quorum(uris)
                .maxLeaseTime(LONGEST)
                .defaults(lease(LONGEST, Renewal.whileHeld()))
                .preflight(Preflight.OFF);
    }

    /** Returns a builder of a client that hears each server, however late, and not a majority only. */
    private LeaseholdBuilder patient(String... uris) {
        return builder(uris).nodeTimeout(LIMIT);
    }

    private Leasehold client(Consumer<LeaseholdBuilder> options) {
        LeaseholdBuilder builder = builder(quorum.uris().toArray(String[]::new));
        options.accept(builder);
        Leasehold client = builder.build();
        opened.push(client);
        return client;
    }

    private static String name() {
        return "quorum:" + NAMES.incrementAndGet();
    }

    private static LockOptions lease(Duration time, Renewal renewal) {
        return LockOptions.builder().leaseTime(time).renewal(renewal).build();
    }

    private static boolean holds(EmbeddedRedis server, String name) {
        List<?> fields = (List<?>) Objects.requireNonNull(server.command("HKEYS", "leasehold:{" + name + "}"));
        return fields.stream().anyMatch(field -> field.toString().startsWith("h:"));
    }

    @Test
    void oneHoldsAtATimeAndTokensRise() throws InterruptedException {
        DistributedLock one = client(builder -> {}).lock(name());
        DistributedLock other = client(builder -> {}).lock(one.name());
        long token;
        try (Lease lease = one.acquire(LIMIT)) {
            token = lease.fencingToken();
            assertThat(lease.isHeld()).isTrue();
            assertThat(other.tryAcquire()).isEmpty();
            assertThat(other.inspect()).isPresent();
        }
        try (Lease lease = other.acquire(LIMIT)) {
            assertThat(lease.fencingToken()).isGreaterThan(token);
        }
        assertThat(other.inspect()).isEmpty();
    }

    @Test
    void theLocksOfAMajorityAreListed() throws InterruptedException {
        Leasehold client = client(builder -> {});
        Leasehold single = Leasehold.connect(servers.get(0).uri());
        opened.push(single);
        String held = name();
        String ofOneServer = name();
        Lease ofMajority = client.lock(held).acquire(LIMIT);
        Lease ofOne = single.lock(ofOneServer).acquire();
        try {
            assertThat(client.inspector().locks()).extracting(LockInfo::name).containsExactly(held);
            assertThat(client.inspector().locks(held, LockFormat.leasehold())).hasSize(1);
            assertThat(client.inspector().locks(held + "?", LockFormat.leasehold()))
                    .isEmpty();
            assertThatThrownBy(() -> client.inspector().locks("*", Formats.redisson()))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("redisson");
            assertThat(Latches.of(client).list()).isEmpty();
            servers.get(1).kill();
            Set<String> unreachable = new HashSet<>();
            assertThat(client.inspector().locks(unreachable::add))
                    .extracting(LockInfo::name)
                    .containsExactly(held);
            assertThat(unreachable)
                    .singleElement()
                    .asString()
                    .contains(":" + servers.get(1).port());
            servers.get(2).kill();
            servers.get(3).kill();
            assertThatThrownBy(() -> client.inspector().locks())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("only 2 of 5 servers listed their locks");
        } finally {
            // A lease that nobody refers to any more is not renewed.
            Reference.reachabilityFence(ofMajority);
            Reference.reachabilityFence(ofOne);
        }
    }

    @Test
    void aReleaseReachesAllServers() throws InterruptedException {
        DistributedLock lock = client(builder -> {}).lock(name());
        Lease lease = lock.acquire(LIMIT);
        await().until(() -> servers.stream().allMatch(server -> holds(server, lock.name())));
        lease.close();
        await().until(() -> servers.stream().noneMatch(server -> holds(server, lock.name())));
    }

    @Test
    void contendersExcludeEachOther() {
        String name = name();
        int clients = 3;
        int times = 6;
        int[] counter = {0};
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            DistributedLock lock = client(builder -> {}).lock(name);
            all.add(ContractBase.inThread(() -> {
                for (int n = 0; n < times; n++) {
                    try (Lease lease = lock.acquire(LIMIT)) {
                        assertThat(inside.incrementAndGet()).isOne();
                        counter[0]++;
                        lease.ensureHeld();
                        inside.decrementAndGet();
                    }
                }
                return null;
            }));
        }
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        all.forEach(CompletableFuture::join);
        assertThat(counter[0]).isEqualTo(clients * times);
    }

    @Test
    void aDeadServerCostsNothing() throws InterruptedException {
        servers.get(1).kill();
        DistributedLock lock = client(QuorumContract::withLongTimeouts).lock(name());
        lock.acquire(LIMIT).close();
        servers.get(3).kill();
        lock.acquire(LIMIT).close();
    }

    /** Sets timeouts that exceed the limit. */
    private static void withLongTimeouts(LeaseholdBuilder builder) {
        builder.nodeTimeout(LONGEST).commandTimeout(LONGEST);
    }

    @Test
    void aFrozenServerCostsNothingAndIsReleasedToo() throws InterruptedException {
        DistributedLock lock = client(QuorumContract::withLongTimeouts).lock(name());
        Lease lease = lock.acquire(LIMIT);
        await().until(() -> servers.stream().allMatch(server -> holds(server, lock.name())));
        servers.get(2).pause();
        CompletableFuture<Void> uses = ContractBase.inThread(() -> {
            lease.close();
            lock.acquire().close();
            return null;
        });
        await().until(uses::isDone);
        uses.join();
        servers.get(2).resume();
        await().until(() -> servers.stream().noneMatch(server -> holds(server, lock.name())));
    }

    @Test
    void theLossOfTwoKeepsEveryLease() throws InterruptedException {
        Map<String, AtomicInteger> renewals = new ConcurrentHashMap<>();
        LockOptions options = lease(Duration.ofSeconds(20), Renewal.afterRatio(0.02));
        Leasehold client = client(builder -> builder.defaults(options).listener(new LeaseholdListener() {
            @Override
            public void renewed(RenewedEvent event) {
                renewals.computeIfAbsent(event.lockName(), any -> new AtomicInteger())
                        .incrementAndGet();
            }
        }));
        List<Lease> leases = acquireMany(client, 10);
        // By then all servers count, including those whose grant arrived late.
        await().until(() ->
                renewals.size() == leases.size() && renewals.values().stream().allMatch(times -> times.get() >= 2));
        servers.get(0).kill();
        servers.get(4).kill();
        renewals.clear();
        // The second of these was sent to the three others alone.
        await().until(() ->
                renewals.size() == leases.size() && renewals.values().stream().allMatch(times -> times.get() >= 2));
        assertThat(leases).allMatch(Lease::isHeld);
        leases.forEach(Lease::close);
    }

    @Test
    void theLossOfThreeServersMakesEveryLeaseLostByItsDeadline() throws InterruptedException {
        Leasehold client = client(builder -> builder.defaults(lease(Duration.ofSeconds(2), Renewal.whileHeld())));
        List<Lease> leases = acquireMany(client, 10);
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        leases.forEach(lease -> lease.onLost(losses::add));
        servers.get(0).kill();
        servers.get(2).kill();
        servers.get(4).kill();
        await().until(() -> losses.size() == leases.size());
        assertThat(losses).allMatch(loss -> loss.cause() == LossCause.UNCONFIRMED);
        assertThat(leases).noneMatch(Lease::isHeld);
        assertThatThrownBy(() -> client.lock(name()).acquire(Duration.ofMillis(300)))
                .isInstanceOf(LockUnavailableException.class);
    }

    private List<Lease> acquireMany(Leasehold client, int number) throws InterruptedException {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            leases.add(client.lock(name()).acquire(LIMIT));
        }
        return leases;
    }

    /**
     * Two of the three servers that know the holder are left, and one that lost its data: with two other servers
     * that is a majority.
     */
    @Test
    void aServerThatForgotDoesNotCount() throws InterruptedException {
        Leasehold holders = client(builder -> {});
        DistributedLock other = client(builder -> {}).lock(name());
        servers.get(3).pause();
        servers.get(4).pause();
        Lease lease =
                holders.lock(other.name()).with(lease(LONGEST, Renewal.none())).acquire(LIMIT);
        // By then it is too late for requests that still wait at the two frozen servers.
        await().until(() -> lease.remaining().compareTo(LONGEST.minusSeconds(1)) < 0);
        servers.get(2).restartEmpty();
        servers.get(3).resume();
        servers.get(4).resume();
        await().until(() -> {
            assertThat(other.tryAcquire()).isEmpty();
            return servers.get(2).commandCounts().getOrDefault("evalsha", 0L) > 0;
        });
        try {
            lease.close();
        } catch (LeaseLostException e) {
            // Only two servers still have the hold: a third may answer that it was released before, or that it never
            // had it.
            assertThat(e).hasMessageContaining("no longer has the hold");
        }
        other.acquire(LIMIT).close();
    }

    /** Only one server knows the token of the first, and it is down when the second acquires. */
    @Test
    void tokensRiseWhicheverMajorityGaveThem() throws InterruptedException {
        String name = name();
        String key = "leasehold:{" + name + "}";
        client(builder -> {}).lock(name).acquire(LIMIT).close();
        long ahead = micros(servers.get(0)) + 5_000_000;
        servers.get(0).command("HSET", key, "last", Long.toString(ahead));
        servers.get(3).pause();
        servers.get(4).pause();
        long token;
        try (Lease lease = client(builder -> {}).lock(name).acquire(LIMIT)) {
            token = lease.fencingToken();
        }
        assertThat(token).isGreaterThan(ahead);
        servers.get(3).resume();
        servers.get(4).resume();
        servers.get(0).pause();
        try (Lease lease = client(builder -> {}).lock(name).acquire(LIMIT)) {
            assertThat(lease.fencingToken()).isGreaterThan(token);
        }
    }

    /**
     * Each request costs both sides about as much as a whole acquire on one server. Only slow servers increase the
     * number.
     */
    @Test
    void eachServerReceivesOneAcquireAndOneRelease() {
        DistributedLock lock = client(builder -> {}).lock(name());
        await().until(() -> {
            servers.forEach(EmbeddedRedis::resetStats);
            Lease lease = lock.acquire(LIMIT);
            await().until(() -> servers.stream().allMatch(server -> holds(server, lock.name())));
            lease.close();
            await().until(() -> servers.stream().noneMatch(server -> holds(server, lock.name())));
            return servers.stream().allMatch(server -> server.commandCounts().getOrDefault("evalsha", 0L) == 2);
        });
    }

    private Set<String> owners(String name) {
        return servers.stream()
                .map(server -> server.command("HGET", "leasehold:{" + name + "}", "own"))
                .filter(Objects::nonNull)
                .map(Object::toString)
                .collect(Collectors.toSet());
    }

    /** No server knows whether others wait, so nothing is handed off. */
    @Test
    void callersOfOneClientEachAskTheMajority() throws InterruptedException {
        DistributedLock lock = client(builder -> {}).lock(name());
        Lease first = lock.acquire(LIMIT);
        CompletableFuture<Lease> second = lock.acquireAsync().toCompletableFuture();
        Set<String> before = owners(lock.name());
        first.close();
        await().until(second::isDone);
        assertThat(before).isNotEmpty();
        await().until(() -> Collections.disjoint(owners(lock.name()), before));
        second.join().close();
    }

    @Test
    void requestsOfManyCallersLeaveAloneAndNoKeyIsTracked() {
        int callers = 20;
        Queue<RenewedEvent> renewals = new ConcurrentLinkedQueue<>();
        Leasehold client = client(builder -> builder.listener(new LeaseholdListener() {
            @Override
            public void renewed(RenewedEvent event) {
                renewals.add(event);
            }
        }));
        LockOptions renewed = lease(LONGEST, Renewal.afterRatio(0.002));
        servers.forEach(EmbeddedRedis::resetStats);
        List<CompletableFuture<Lease>> leases = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            leases.add(client.lock(name()).with(renewed).acquireAsync().toCompletableFuture());
        }
        await().until(() -> leases.stream().allMatch(CompletableFuture::isDone));
        await().until(() -> !renewals.isEmpty());
        assertThat(servers)
                .allSatisfy(server -> assertThat(server.info("stats")).containsEntry("tracking_total_keys", "0"));
        leases.forEach(lease -> lease.join().close());
        await().until(() -> servers.stream()
                .allMatch(server -> server.commandCounts().getOrDefault("evalsha", 0L) >= 2L * callers));
    }

    private void limitMemory(List<EmbeddedRedis> some, String bytes) {
        some.forEach(server -> server.command("CONFIG", "SET", "maxmemory", bytes));
    }

    @Test
    void aMajorityOfFullServersRefusesAcquisitionsAndKeepsWhatIsHeld() throws InterruptedException {
        Leasehold client = client(builder -> {});
        LockOptions minute = lease(LIMIT, Renewal.whileHeld());
        Lease held = client.lock(name()).with(minute).acquire(LIMIT);
        DistributedLock other = client.lock(name()).with(minute);
        try {
            limitMemory(servers, "1");
            assertThat(held.extend(LIMIT)).isTrue();
            assertThatThrownBy(other::tryAcquire).isInstanceOf(LockUnavailableException.class);
            held.release();
            await().until(() -> servers.stream().noneMatch(server -> holds(server, held.name())));
            limitMemory(servers.subList(0, 3), "0");
            other.acquire(LIMIT).close();
        } finally {
            limitMemory(servers, "0");
        }
    }

    /** Three are ahead, and the other two would refuse a client that has seen a token of these. */
    @Test
    void serversFarBehindTheTokenLearnItToo() throws InterruptedException {
        DistributedLock lock = client(builder -> {}).lock(name());
        lock.acquire(LIMIT).close();
        String key = "leasehold:{" + lock.name() + "}";
        await().until(() -> servers.stream().noneMatch(server -> holds(server, lock.name())));
        long ahead = micros(servers.get(0)) + 5_000_000;
        servers.subList(0, 3).forEach(server -> server.command("HSET", key, "last", Long.toString(ahead)));
        try (Lease lease = lock.acquire(LIMIT)) {
            assertThat(lease.fencingToken()).isGreaterThan(ahead);
            await().until(() -> servers.stream()
                    .allMatch(server -> Long.parseLong(String.valueOf(server.command("HGET", key, "last"))) > ahead));
        }
        servers.get(1).pause();
        servers.get(2).pause();
        lock.acquire(LIMIT).close();
    }

    @Test
    void theSameServerTwiceIsRefused() {
        String uri = servers.get(0).uri();
        LeaseholdBuilder twice = patient(uri, servers.get(1).uri(), uri.replace("127.0.0.1", "localhost"));
        assertThatThrownBy(twice::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is the same server as");
    }

    @Test
    void aServerThatDoesNotFitIsLoggedOnceThoughItIsTriedAgain() {
        FaultProxy twin = FaultProxy.before(servers.get(1).uri());
        opened.push(twin);
        twin.refuse();
        try (CapturedLog log = new CapturedLog(QuorumContract.class)) {
            opened.push(builder(servers.get(0).uri(), servers.get(1).uri(), twin.uri())
                    .build());
            twin.heal();
            // Each try asks twice.
            await().until(() -> twin.requests("INFO") > 5);
            assertThat(log.messages())
                    .filteredOn(text -> text.contains("left out") && text.contains(":" + twin.port()))
                    .singleElement()
                    .asString()
                    .contains("is the same server as");
        }
    }

    @Test
    void aNodeOfAClusterIsRefused() {
        EmbeddedCluster cluster = EmbeddedCluster.builder().primaries(1).start();
        opened.push(cluster);
        LeaseholdBuilder with = patient(servers.get(1).uri(), servers.get(2).uri(), cluster.uri());
        assertThatThrownBy(with::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a node of a cluster");
    }

    @Test
    void aReplicaIsRefused() {
        EmbeddedRedis replica = EmbeddedRedis.builder()
                .config("masterauth", Objects.requireNonNull(servers.get(0).password()))
                .start();
        opened.push(replica);
        replica.command(
                "REPLICAOF", "127.0.0.1", Integer.toString(servers.get(0).port()));
        LeaseholdBuilder with = patient(servers.get(1).uri(), servers.get(2).uri(), replica.uri());
        assertThatThrownBy(with::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a replica");
    }

    @Test
    void anotherLongestLeaseIsRefused() {
        LeaseholdBuilder other = builder(
                        servers.stream().map(EmbeddedRedis::uri).toArray(String[]::new))
                .maxLeaseTime(LONGEST.plusSeconds(1));
        assertThatThrownBy(other::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another longest lease");
    }

    @Test
    void aClientHasAViewForFrameworksAndThatLeadsBack() throws InterruptedException {
        String name = name();
        try (QuorumLeasehold client = QuorumLeasehold.builder(quorum.uris().toArray(String[]::new))
                        .preflight(Preflight.OFF)
                        .maxLeaseTime(LONGEST)
                        .build();
                Lease lease = client.lock(name).acquire()) {
            Leasehold view = client.asLeasehold();
            assertThat(lease.isHeld()).isTrue();
            assertThat(view.lock(name).inspect()).isPresent();
            assertThat(client.inspector().locks()).extracting(LockInfo::name).contains(name);
            assertThat(view.unwrap(QuorumLeasehold.class)).isSameAs(client);
            assertThatThrownBy(() -> Latches.of(view).latch(name)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(Latches.of(view).list()).isEmpty();
        }
    }

    @Test
    void whatAMajorityCannotDecideIsRefusedWithTheReason() throws InterruptedException {
        Leasehold client = client(builder -> {});
        Lease lease = client.lock(name()).acquire();
        List<Runnable> uses = List.of(
                () -> client.fairLock("a"),
                () -> client.readWriteLock("a"),
                () -> client.semaphore("a", 2),
                () -> client.lock("a", Formats.plain()),
                () -> client.allOf("a", "b"),
                () -> Latches.of(client).latch("a"),
                () -> Elections.of(client).election("a"),
                () -> client.lock("a").ownedBy("me"),
                () -> client.lock("a").requestRelease(),
                () -> client.resume("a"),
                lease::export);
        for (Runnable use : uses) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(": ");
        }
    }
}
