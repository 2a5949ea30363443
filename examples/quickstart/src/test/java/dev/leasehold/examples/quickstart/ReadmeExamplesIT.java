package dev.leasehold.examples.quickstart;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import dev.leasehold.testkit.EmbeddedQuorum;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedis;
import io.lettuce.core.RedisClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Every example of the handbook works on a real server as documented. */
@WithRedis
class ReadmeExamplesIT {

    private final EmbeddedRedis redis;
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<Long> tokens = new CopyOnWriteArrayList<>();
    private final Usage usage = new Usage((what, token) -> {
        done.add(what);
        tokens.add(token);
    });
    private Leasehold leasehold;

    ReadmeExamplesIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void connect() {
        RedirectingProvider.leadTo(redis.uri());
        leasehold = Leasehold.connect("redis://localhost:6379");
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void firstExampleDrawsTheLotteryAndWritesItWithItsToken() throws Exception {
        try (Connection database = lottery()) {
            new Lottery(new WinnerTable(database)).run();

            try (Statement query = database.createStatement();
                    ResultSet row = query.executeQuery("SELECT winners, fence FROM lottery")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1).split(",")).hasSize(10).doesNotHaveDuplicates();
                assertThat(row.getLong(2)).isPositive();
            }
        }
    }

    @Test
    void firstExampleDoesNotDrawWhileAnotherInstanceHoldsTheLock() throws Exception {
        try (Connection database = lottery();
                Lease other = leasehold.lock("lottery:2026-11-21").acquire()) {
            new Lottery(new WinnerTable(database)).run();

            assertThat(other.isHeld()).isTrue();
            assertThat(winners(database)).isNull();
        }
    }

    @Test
    void fencingRefusesALateWrite() throws Exception {
        try (Connection database = lottery()) {
            WinnerTable table = new WinnerTable(database);
            assertThat(table.write("2026-11-21", "new", 8)).isTrue();
            assertThat(table.write("2026-11-21", "late", 7)).isFalse();
            assertThat(winners(database)).isEqualTo("new");
            assertThat(table.write("2026-11-21", "newer", 8)).isTrue();
        }
    }

    @Test
    void leasesAreAcquiredInThreeWays() throws Exception {
        usage.leases(leasehold);
        assertThat(done).containsExactly("print", "sign", "send", "archive");
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aLeaseTravelsToAnotherThread() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            DistributedLock lock = leasehold.lock("travels");
            usage.leaseThatTravels(lock, executor);
            await().atMost(10, SECONDS).until(() -> lock.inspect().isEmpty());
            assertThat(done).containsExactly("in another thread");
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void theLockViewCountsReentry() {
        usage.lockView(leasehold);
        assertThat(tokens).containsExactly(2L);
        assertThat(leasehold.lock("invoice:4711").inspect()).isEmpty();
    }

    @Test
    void aLeaseContinuesAfterARestartWithAHigherToken() throws Exception {
        String exported;
        try (Leasehold before = Leasehold.connect("redis://localhost:6379")) {
            exported = usage.export(before);
        }
        assertThat(leasehold.lock("import:4711").tryAcquire()).isEmpty();
        usage.resume(leasehold, exported);
        assertThat(done).containsExactly("before the restart", "after the restart");
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
        assertThat(leasehold.lock("import:4711").inspect()).isEmpty();
        assertThatThrownBy(() -> usage.resume(leasehold, exported)).isInstanceOf(LeaseNotResumableException.class);
    }

    @Test
    void aHolderThatIsAskedToReleaseEndsItsWork() throws Exception {
        DistributedLock lock = leasehold
                .lock("x")
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(10)).build());
        AtomicInteger worked = new AtomicInteger();
        // Each page requests the release again, so that the work continues until the request reaches the holder.
        Usage asked = new Usage((what, token) -> {
            worked.incrementAndGet();
            assertThat(lock.requestRelease()).isTrue();
        });
        asked.asked(lock, Collections.nCopies(10_000_000, "page"));
        assertThat(worked).hasValueBetween(1, 9_999_999);
        assertThat(lock.inspect()).isEmpty();
    }

    @Test
    void aLockIsReentrantForItsNamedOwner() throws Exception {
        usage.namedOwner(leasehold);
        assertThat(done).containsExactly("holds 2");
        assertThat(leasehold.lock("stock:17").inspect()).isEmpty();
    }

    @Test
    void aFairLockServesInTurn() throws Exception {
        usage.fair(leasehold);
        assertThat(done).containsExactly("served in turn");
        assertThat(leasehold.lock("counter:3").inspect()).isEmpty();
    }

    @Test
    void manyReadOrOneWrites() throws Exception {
        try (Lease reader = leasehold.readWriteLock("prices").readLock().acquire()) {
            CompletableFuture<Void> all = CompletableFuture.runAsync(() -> {
                try {
                    usage.readWrite(leasehold);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().atMost(10, SECONDS).until(() -> done.contains("quoted"));
            assertThat(all).isNotDone();
            reader.close();
            all.get(20, SECONDS);
        }
        assertThat(done).containsExactly("quoted", "imported", "verified");
        assertThat(leasehold.lock("prices").inspect()).isEmpty();
    }

    @Test
    void aPlainLockSharesItsKeyWithOtherLibraries() throws Exception {
        redis.command("SET", "import:prices", "theirs", "NX", "PX", "200");
        usage.plain(leasehold);
        assertThat(done).containsExactly("imported");
        assertThat(redis.command("EXISTS", "import:prices")).isEqualTo(0L);
    }

    @Test
    void severalLocksAreAcquiredAndReleasedTogether() throws Exception {
        usage.several(leasehold);
        assertThat(done).containsExactly("debit", "credit");
        assertThat(leasehold.lock("account:1").inspect()).isEmpty();
        assertThat(leasehold.lock("account:2").inspect()).isEmpty();
    }

    @Test
    void permitsAreAcquiredSinglyAndTogether() throws Exception {
        usage.semaphore(leasehold);
        assertThat(done).containsExactly("exported", "exported more");
        assertThat(tokens).containsExactly(4L, 2L);
        assertThat(leasehold.semaphore("exports", 5).inspect()).isEmpty();
    }

    @Test
    void aBatchWaitsForAPermitOfAllWorkersTogether() throws Exception {
        try (Lease others = leasehold.semaphore("partner-api", 5).atOnce(5).acquire()) {
            CompletableFuture<Void> batch = CompletableFuture.runAsync(() -> {
                try {
                    usage.limitedBatch(leasehold, List.of("1", "2"));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().atMost(10, SECONDS).until(() -> redis.command("HGET", "leasehold:{partner-api}", "wn") != null);
            assertThat(done).isEmpty();
            others.close();
            batch.get(20, SECONDS);
        }
        assertThat(done).containsExactly("sent 1", "sent 2");
        assertThat(tokens).containsExactly(4L, 4L);
    }

    @Test
    void twoWorkersShareABatchAndDoEachItemOnce() throws Exception {
        try (Lease other = leasehold.lock("order:2").acquire()) {
            usage.sharedBatch(leasehold, List.of("1", "2", "3"), order -> !done.contains("sent " + order));
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(done).containsExactly("sent 1", "sent 3");
        usage.sharedBatch(leasehold, List.of("1", "2", "3"), order -> !done.contains("sent " + order));
        assertThat(done).containsExactly("sent 1", "sent 3", "sent 2");
    }

    @Test
    void aLatchIsReachedWhenEachPartWasCountedOnce() throws Exception {
        try (Leasehold other = Leasehold.connect("redis://localhost:6379")) {
            DistributedLatch early = Latches.of(other).latch("import:2026-11-21");
            early.trySet(2, Duration.ofHours(1));
            early.countDown("part-1");
            usage.latch(leasehold);
            assertThat(done).containsExactly("all parts are there");
            early.await();
        }
    }

    @Test
    void twoWorkersGoFromRoundToRoundTogether() throws Exception {
        try (Leasehold other = Leasehold.connect("redis://localhost:6379")) {
            CompletableFuture<Void> second = CompletableFuture.runAsync(() -> {
                try {
                    usage.latchRounds(other, "second", 1, 3);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            usage.latchRounds(leasehold, "first", 1, 3);
            await().until(second::isDone);
            second.join();
            assertThat(Latches.of(other).latch("prices").round(3).count()).isZero();
        }
        assertThat(done).hasSize(6).startsWith("part of day 1", "part of day 1").endsWith("part of day 3");
    }

    @Test
    void aLeaderIsNotifiedOfItsTermAndAnotherFollows() {
        try (Candidacy first = usage.leader(leasehold)) {
            await().until(first::isLeader);
            try (Leasehold other = Leasehold.connect("redis://localhost:6379");
                    Candidacy second = usage.leader(other)) {
                await().until(() -> redis.command("HGET", "leasehold:{scheduler}", "wn") != null);
                assertThat(second.isLeader()).isFalse();
                first.close();
                await().until(second::isLeader);
            }
        }
        assertThat(done).containsExactly("start", "stop: CLOSED", "start", "stop: CLOSED");
        assertThat(tokens.get(2)).isGreaterThan(tokens.get(0));
    }

    @Test
    void optionsBelongToTheView() throws Exception {
        try (Lease lease = usage.options(leasehold).acquire()) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
            assertThat(leasehold.lock("report").inspect()).map(LockInfo::label).contains("nightly report");
        }
    }

    @Test
    void clientOptionsAndListenerTakeEffect() throws Exception {
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.ofSeconds(10)).build();
        try (Leasehold own = usage.client(options)) {
            Lease lease = own.lock("x").acquire();
            assertThat(redis.command("EXISTS", "billing:{x}")).isEqualTo(1L);
            own.lock("x").forceRelease();
            await().atMost(30, SECONDS).until(() -> done.contains("lost x: DELETED"));
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        }
    }

    /** A busy machine may keep servers from answering within half a second, which a call then reports. */
    private static void onceAMajorityAnswers(Callable<Boolean> call) {
        await().atMost(30, SECONDS)
                .ignoreException(LockUnavailableException.class)
                .until(call);
    }

    @Test
    void aQuorumKeepsALockThatSurvivesTheLossOfOneOfThreeServers() throws Exception {
        try (EmbeddedQuorum servers = EmbeddedQuorum.builder().servers(3).start()) {
            for (int i = 0; i < 3; i++) {
                RedirectingProvider.lead(
                        "redis://redis-" + (i + 1) + ":6379", servers.uris().get(i));
            }
            try (QuorumLeasehold quorum = usage.quorum()) {
                assertThatThrownBy(() -> quorum.lock("x").tryAcquire())
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("may have forgotten holds");
                // Dates the markers back by the minute in which a new server does not count.
                servers.letCount();
                try (Lease lease = quorum.lock("x").acquire()) {
                    // A server with a late grant counts from the next round on.
                    for (int round = 0; round < 5; round++) {
                        onceAMajorityAnswers(() -> lease.extend(Duration.ofSeconds(1)));
                    }
                    servers.nodes().get(2).kill();
                    onceAMajorityAnswers(() -> lease.extend(Duration.ofSeconds(20)));
                }
                onceAMajorityAnswers(() -> quorum.lock("x").tryAcquire().isPresent());
            }
        }
    }

    @Test
    void aClientStartsWithoutRedis() throws Exception {
        redis.kill();
        try (Leasehold leasehold = usage.withoutRedis()) {
            assertThatThrownBy(leasehold.lock("x")::tryAcquire).isInstanceOf(LockUnavailableException.class);
            redis.restart();
            try (Lease lease = leasehold.lock("x").acquire(Duration.ofMinutes(1))) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    @Test
    void aLentClientStaysOpen() throws Exception {
        RedisClient client = RedisClient.create(redis.uri());
        try {
            try (Leasehold own = usage.lentClient(client);
                    Lease lease = own.lock("x").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aLentJedisStaysOpen() throws Exception {
        ConnectionProvider pool = new PooledConnectionProvider(
                new HostAndPort(redis.host(), redis.port()),
                DefaultJedisClientConfig.builder().password(redis.password()).build());
        try (UnifiedJedis jedis = new UnifiedJedis(pool, 1, Duration.ofSeconds(2))) {
            try (Leasehold own = usage.lentClient(jedis);
                    Lease lease = own.lock("x").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(jedis.ping()).isEqualTo("PONG");
        }
    }

    @Test
    void aLentTemplateStaysOpen() throws Exception {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(redis.host(), redis.port());
        server.setPassword(redis.password());
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server);
        factory.afterPropertiesSet();
        try {
            StringRedisTemplate template = new StringRedisTemplate(factory);
            try (Leasehold own = usage.lentClient(template);
                    Lease lease = own.lock("x").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(template.hasKey("nothing")).isFalse();
        } finally {
            factory.destroy();
        }
    }

    @Test
    void asyncWorksUnderTheLease() {
        DistributedLock lock = leasehold.lock("x");
        usage.async(lock).toCompletableFuture().join();
        assertThat(done).containsExactly("without a waiting thread");
        assertThat(lock.inspect()).isEmpty();
    }

    @Test
    void lossEndsTheWork() {
        DistributedLock lock = leasehold
                .lock("x")
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(10)).build());
        Usage stops = new Usage((what, token) -> {
            done.add(what);
            if (what.equals("second")) {
                redis.flush();
                await().atMost(30, SECONDS).until(() -> done.contains("stop: DELETED"));
            }
        });
        assertThatThrownBy(() -> stops.loss(lock, List.of("first", "second", "third")))
                .isInstanceOf(LeaseLostException.class);
        assertThat(done).containsExactly("first", "second", "stop: DELETED");
    }

    @Test
    void anExtensionAddsToWhatRemains() throws Exception {
        usage.extension(leasehold.lock("x"));
        assertThat(done).hasSize(1);
        assertThat(Long.parseLong(done.get(0).split(" ")[1])).isBetween(130L, 150L);
    }

    @Test
    void outcomesAreNeverMerged() throws Exception {
        usage.outcomes(leasehold.lock("x"));
        redis.command("SET", "leasehold:{y}", "a string of another tool");
        assertThatThrownBy(() -> usage.outcomes(leasehold.lock("y"))).hasMessageContaining("string");
        // In virtual time, as both of the other outcomes take 5 s.
        InMemoryLeasehold simulated = InMemoryLeasehold.create(ManualClock.create());
        try (Lease other = simulated.another().lock("x").acquire()) {
            usage.outcomes(simulated.lock("x"));
            assertThat(other.isHeld()).isTrue();
        }
        simulated.cutOff(true);
        usage.outcomes(simulated.lock("x"));
        assertThat(done).hasSize(3);
        assertThat(done.get(0)).isEqualTo("acquired");
        assertThat(done.get(1)).startsWith("busy");
        assertThat(done.get(2)).startsWith("unavailable");
    }

    @Test
    void inspectionShowsTheHolderAndTakesTheLockAway() throws Exception {
        DistributedLock lock = leasehold.lock("x");
        assertThat(usage.inspection(lock)).isFalse();
        Lease lease = lock.acquire();
        assertThat(usage.inspection(lock)).isTrue();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** The table of the handbook, made by the handbook's own SQL. */
    private static Connection lottery() throws SQLException {
        Connection database = DriverManager.getConnection("jdbc:h2:mem:");
        String sql = Handbook.ENGLISH.blocks().stream()
                .filter(block -> block.language().equals("sql"))
                .map(Markdown.Block::text)
                .findFirst()
                .orElseThrow();
        try (Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
        return database;
    }

    private static String winners(Connection database) throws SQLException {
        try (Statement query = database.createStatement();
                ResultSet row = query.executeQuery("SELECT winners FROM lottery")) {
            row.next();
            return row.getString(1);
        }
    }
}
