package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.TlsOptions;
import dev.leasehold.TooFewReplicasException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.TlsCertificates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights in section 2 of {@code docs/operations.md} suffice for everything, and none of them is superfluous. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@On(Topology.TLS_AND_ACL)
class MinimalRightsContract extends AnyContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private TlsCertificates certificates;
    private EmbeddedRedis redis;

    @BeforeParameterizedClassInvocation
    void start() {
        certificates = TlsCertificates.create();
        redis = EmbeddedRedis.builder().tls(certificates).start();
    }

    @BeforeEach
    void empty() {
        redis.flush();
    }

    @AfterParameterizedClassInvocation
    void end() {
        redis.close();
        certificates.close();
    }

    static List<String> rights() {
        return DocumentedRights.ofLocks();
    }

    /** Those that can be left out one by one. */
    static List<String> needed() {
        return rights().stream()
                .filter(right -> right.startsWith("+") || right.matches("[~&]leasehold.*"))
                .filter(right -> !right.equals("+unsubscribe"))
                .toList();
    }

    @Test
    void suffice() throws Exception {
        grant(rights());
        redis.command("ACL", "LOG", "RESET");
        useEverything();
        // Where a script, or the end of a subscription, goes on without a right, nothing else shows that it lacks one.
        // The diagnosis finds out whether these optional ones are there.
        assertThat(Pattern.compile("object, ([^,]+)")
                        .matcher(String.valueOf(redis.command("ACL", "LOG")))
                        .results()
                        .map(refused -> refused.group(1)))
                .isSubsetOf("client|setname", "client|tracking", "config|get", "wait");
        try (Leasehold leasehold = connect("", Preflight.REFUSE)) {
            assertThat(Diagnostics.of(leasehold).findings())
                    .filteredOn(finding -> finding.subject().equals("rights"))
                    .extracting(Finding::level)
                    .containsExactly(Finding.Level.FINE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-publish", "-subscribe", "resetchannels"})
    void withoutThoseOfWakeUpsTheWaitGraphSaysSo(String refused) throws Exception {
        List<String> rights = new ArrayList<>(rights());
        rights.add(refused);
        grant(rights);
        try (Leasehold leasehold = connect("", Preflight.WARN);
                Lease lease = leasehold.lock("held").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(() -> Diagnostics.of(leasehold).waitGraph())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("Redis refused to ask processes what their threads wait for: NOPERM")
                    .hasMessageContaining("docs/operations.md, section 2");
        }
    }

    @Test
    void withoutTheOneThatEndsASubscriptionALineNamesIt() {
        List<String> rights = new ArrayList<>(rights());
        rights.remove("+unsubscribe");
        grant(rights);
        try (CapturedLog log = new CapturedLog(MinimalRightsContract.class);
                Leasehold leasehold = connect("")) {
            Diagnostics.of(leasehold).findings();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(log.messages())
                            .anyMatch(line -> line.contains("end subscriptions") && line.contains("+unsubscribe")));
        }
    }

    @Test
    void sufficeForLocksSharedWithRedissonTogetherWithTheirOwn() throws Exception {
        List<String> rights = new ArrayList<>(rights());
        rights.addAll(DocumentedRights.of("redisson"));
        grant(rights);
        try (Leasehold leasehold = connect("")) {
            DistributedLock lock = leasehold.lock("import:17", Formats.redissonFenced());
            CompletableFuture<Lease> waiting;
            redis.command("ACL", "LOG", "RESET");
            redis.command("RPUSH", "redisson_lock_queue:{import:17}", "a fair waiter");
            try (Lease lease = lock.acquire()) {
                assertThat(lease.fencingToken()).isPositive();
                assertThat(lease.extend(Duration.ofSeconds(5))).isTrue();
                waiting = lock.acquireAsync().toCompletableFuture();
                await().until(() ->
                        String.valueOf(redis.command("PUBSUB", "CHANNELS")).contains("redisson_lock__channel"));
                assertThat(lock.inspect()).isPresent();
            }
            assertThat(waiting.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
            assertThat(lock.forceRelease()).isTrue();
            redis.command("HSET", "import:18", "mode", "read");
            assertThatThrownBy(leasehold.lock("import:18", Formats.redisson())::tryAcquire)
                    .hasMessageContaining("a Redisson read-write lock");
        }
        // Where a script goes on without a right, nothing else shows that it lacks one.
        assertThat(String.valueOf(redis.command("ACL", "LOG"))).doesNotContain("lua");
    }

    @Test
    void sufficeForADatabaseTogetherWithSelect() throws Exception {
        List<String> rights = new ArrayList<>(rights());
        rights.add("+select");
        grant(rights);
        try (Leasehold leasehold = connect("/3");
                Lease lease = leasehold.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void openNoOtherKeysAndNoOtherCommands() {
        grant(rights());
        try (RedisTransport transport = transport()) {
            for (List<String> forbidden :
                    List.of(List.of("EXISTS", "somebody:else"), List.of("DEL", "leasehold:{x}"), List.of("FLUSHALL"))) {
                assertThatThrownBy(() -> transport
                                .command(null, forbidden)
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS))
                        .hasMessageContaining("NOPERM");
            }
        }
    }

    @Test
    void waitingForReplicasTakesOneMoreWhichTheRefusalNames() {
        for (boolean granted : new boolean[] {false, true}) {
            List<String> rights = new ArrayList<>(rights());
            rights.addAll(granted ? DocumentedRights.of("replicas") : List.of());
            grant(rights);
            try (Leasehold leasehold = connect("")) {
                DistributedLock lock = leasehold
                        .lock("x")
                        .with(LockOptions.builder()
                                .replicas(1, Duration.ofMillis(1))
                                .build());
                TooFewReplicasException refusal = catchThrowableOfType(TooFewReplicasException.class, lock::tryAcquire);
                assertThat(refusal.acknowledged()).isEqualTo(granted ? 0 : -1);
                assertThat(refusal).hasMessageContaining(granted ? "0 of 1" : "+wait");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("needed")
    void areAllNeededAndWhatIsMissingIsNamed(String right) {
        List<String> rights = new ArrayList<>(rights());
        rights.remove(right);
        grant(rights);
        String name = right.startsWith("+")
                ? "[+']" + Pattern.quote(right.substring(1)) + "\\b"
                : Pattern.quote(right.substring(1));
        assertThat(refusals())
                .as("without " + right)
                .anyMatch(text -> Pattern.compile(name).matcher(text).find())
                .noneMatch(text -> text.contains(".."));
    }

    /** The messages for such a user: from the diagnosis, and from each operation. */
    private List<String> refusals() {
        List<String> told = new ArrayList<>();
        try (Leasehold leasehold = connect("")) {
            Diagnostics.of(leasehold).findings().stream()
                    .filter(finding -> finding.level() != Finding.Level.FINE)
                    .forEach(finding -> told.add(finding.text() + " " + finding.remedy()));
            leasehold.inspector().locks();
        } catch (RuntimeException e) {
            told.add(String.valueOf(e.getMessage()));
        }
        try (RedisTransport transport = transport()) {
            answer(transport.subscribe("leasehold:w:x", message -> {}));
        } catch (RuntimeException e) {
            told.add(String.valueOf(e));
        }
        return told;
    }

    private void grant(List<String> rights) {
        DocumentedRights.grant(redis, rights);
    }

    private void useEverything() throws Exception {
        try (Leasehold leasehold = connect("")) {
            try (Lease lease = leasehold.lock("x").acquire(TIMEOUT)) {
                assertThat(lease.extend(Duration.ofSeconds(40))).isTrue();
                lease.ensureHeld();
                assertThat(leasehold.lock("x").tryAcquire()).isEmpty();
                assertThat(leasehold.inspector().locks()).hasSize(1);
            }
            assertThat(leasehold.lock("x").inspect()).isEmpty();
            useNamedOwner(leasehold.lock("y").ownedBy("order-17"));
            leasehold.lock("z").acquire(TIMEOUT);
            assertThat(leasehold.lock("z").forceRelease()).isTrue();
            redis.command("SET", "leasehold:{foreign}", "value");
            assertThatThrownBy(() -> leasehold.lock("foreign").acquire(TIMEOUT))
                    .isInstanceOfSatisfying(
                            ForeignKeyException.class,
                            e -> assertThat(e.found()).isEqualTo("string"));
            assertThat(Diagnostics.of(leasehold).findings())
                    .extracting(Finding::subject)
                    .contains("version")
                    .doesNotContain("wake-ups");
            waitInTheQueue(leasehold.lock("w"));
            useLatch(Latches.of(leasehold).latch("l"));
            useReadersAndPermits(leasehold);
            readHoldsInPages(leasehold);
            renewTogether(leasehold);
            passOn(leasehold);
        }
        leaveTombstone();
    }

    private void useLatch(DistributedLatch latch) throws Exception {
        assertThat(latch.trySet(1, Duration.ofMinutes(1))).isTrue();
        CompletableFuture<Boolean> waiter = latch.awaitAsync().toCompletableFuture();
        await().until(() -> redis.command("HGET", "leasehold:{l}", "w:1") != null);
        assertThat(latch.countDown()).isZero();
        assertThat(waiter.get(10, TimeUnit.SECONDS)).isTrue();
        redis.command("HSET", "leasehold:{l}", "ends", "1");
        assertThat(latch.trySet(1, Duration.ofMinutes(1))).isTrue();
    }

    private static void useReadersAndPermits(Leasehold leasehold) throws Exception {
        DistributedReadWriteLock lock = leasehold.readWriteLock("rw");
        try (Lease writes = lock.writeLock().acquire(TIMEOUT);
                Lease reads = lock.downgrade(writes);
                Lease other = lock.readLock().acquire(TIMEOUT)) {
            assertThat(reads.isHeld() && other.isHeld()).isTrue();
        }
        DistributedSemaphore semaphore = leasehold.semaphore("s", 2);
        try (Lease both = semaphore.atOnce(2).acquire(TIMEOUT)) {
            semaphore.changePermits(3);
            assertThat(both.isHeld()).isTrue();
        }
        try (MultiLease several = leasehold.allOf("a", "b").acquire(TIMEOUT)) {
            assertThat(several.isHeld()).isTrue();
        }
    }

    /** Permits in a large hash that have all ended. */
    private void readHoldsInPages(Leasehold leasehold) throws Exception {
        List<String> command = new ArrayList<>(List.of("HSET", "leasehold:{many}", "v", "1", "last", "1", "own", "s"));
        command.addAll(List.of("pt", "600", "rs", "600:1:1:1"));
        for (int i = 0; i < 600; i++) {
            command.addAll(List.of("h:" + i, "1:1:1"));
        }
        redis.command(command.toArray(String[]::new));
        try (Lease all = leasehold.semaphore("many", 600).atOnce(600).acquire(TIMEOUT)) {
            assertThat(all.isHeld()).isTrue();
        }
    }

    /** Two that are due at once are renewed by one call. */
    private void renewTogether(Leasehold leasehold) throws Exception {
        LockOptions shortly = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(6))
                .renewal(Renewal.afterRatio(0.15))
                .build();
        try (Lease one = leasehold.lock("one").with(shortly).acquire(TIMEOUT);
                Lease two = leasehold.lock("two").with(shortly).acquire(TIMEOUT)) {
            Object first = redis.command("HVALS", "leasehold:{one}");
            await().atMost(LIMIT).until(() -> !Objects.equals(first, redis.command("HVALS", "leasehold:{one}")));
            assertThat(one.isHeld() && two.isHeld()).isTrue();
        }
    }

    private static void passOn(Leasehold leasehold) throws Exception {
        Lease lease = leasehold.lock("passed").acquire(TIMEOUT);
        assertThat(leasehold.lock("passed").requestRelease()).isTrue();
        try (Lease resumed = leasehold.resume(lease.export())) {
            assertThat(resumed.isHeld()).isTrue();
        }
    }

    private static void useNamedOwner(OwnedLock lock) throws Exception {
        try (Lease one = lock.acquire(TIMEOUT);
                Lease other = lock.acquire(TIMEOUT)) {
            assertThat(one.fencingToken()).isEqualTo(other.fencingToken());
            assertThat(lock.holdCount()).isEqualTo(2);
        }
    }

    private void waitInTheQueue(DistributedLock lock) throws Exception {
        Lease held = lock.acquire(TIMEOUT);
        CompletableFuture<Lease> waiter = lock.acquireAsync().toCompletableFuture();
        await().atMost(Duration.ofSeconds(10))
                .until(
                        () -> redis.command("PUBSUB", "CHANNELS", "leasehold:w:*"),
                        channels -> !List.of().equals(channels));
        held.release();
        waiter.get(10, TimeUnit.SECONDS).release();
    }

    /** The behaviour if more than one copy of an acquire was sent. */
    private void leaveTombstone() throws Exception {
        LockKey key = LockKey.of(new KeyPrefix("leasehold"), "buried");
        AcquisitionId id = new AcquisitionId("AAAAAAAAAAAAAAAAAAAAAA");
        ScriptBindings scripts = new ScriptBindings(new TokenMemory(Duration.ofSeconds(1)), true);
        ServerTime later = new ServerTime(1L << 52);
        try (RedisTransport transport = transport()) {
            var acquire = scripts.call(new AcquireHold(
                    key,
                    id,
                    OwnerKey.anonymous(id),
                    new LeaseSpan(1_000_000_000),
                    later,
                    new TokenFloor(0),
                    new Holder("1@host", "main", ""),
                    Waiter.NONE,
                    TIMEOUT.toNanos()));
            assertThat(transport.eval(acquire).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .startsWith("granted");
            var release = scripts.call(
                    new ReleaseHold(key, id, new LeaseSpan(1_000_000_000), false, later, TIMEOUT.toNanos()));
            assertThat(transport.eval(release).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .startsWith("released");
        } finally {
            redis.command("DEL", key.key());
        }
    }

    private Leasehold connect(String database) {
        return connect(database, Preflight.OFF);
    }

    private Leasehold connect(String database, Preflight preflight) {
        return Leasehold.builder()
                .uri(uri() + database)
                .tls(tls())
                .commandTimeout(TIMEOUT)
                .preflight(preflight)
                .build();
    }

    private RedisTransport transport() {
        return way().open(settings(uri(), tls()));
    }

    private String uri() {
        return DocumentedRights.uri(redis.uri());
    }

    private TlsOptions tls() {
        return TlsOptions.trusting(certificates.caPem());
    }
}
