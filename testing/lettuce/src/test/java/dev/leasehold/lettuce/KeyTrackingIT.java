package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.interop.Formats;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.tck.Fault;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis tells the client of changes of its locks: no test here lasts until a renewal. */
@WithRedis
class KeyTrackingIT {

    private static final LockOptions LONG =
            LockOptions.builder().leaseTime(Duration.ofHours(3)).build();

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final EmbeddedRedis redis;
    private static final LockOptions RENEWED_SOON = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(20))
            .renewal(Renewal.afterRatio(0.02))
            .build();

    private final Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();

    KeyTrackingIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void clear() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void permitAll() {
        redis.command("ACL", "DELUSER", "app");
    }

    private Leasehold connect(String uri) {
        return Leasehold.builder().uri(uri).defaults(LONG).build();
    }

    private Leasehold connect() {
        return connect(redis.uri());
    }

    private Lease tracked(DistributedLock lock) throws InterruptedException {
        Lease lease = lock.acquire();
        lease.onLost(losses::add);
        awaitTracked(lease);
        return lease;
    }

    /** Until then, a change is found by the check that makes Redis track the key. */
    private void awaitTracked(Lease... leases) {
        await().atMost(LIMIT).until(() -> trackedKeys() >= leases.length);
    }

    private long trackedKeys() {
        return Long.parseLong(redis.info("stats").get("tracking_total_keys"));
    }

    private void awaitWaiters(@Nullable String number) {
        await().atMost(LIMIT).until(() -> Objects.equals(redis.command("HGET", key("busy"), "wn"), number));
    }

    private void awaitLoss(LossCause cause, Lease lease) {
        await().atMost(LIMIT).until(() -> losses.size() == 1);
        assertThat(losses.element().cause()).isEqualTo(cause);
        assertThat(lease.isHeld()).isFalse();
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    @Test
    void aDeletedLockIsReportedLongBeforeItsRenewal() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = tracked(leasehold.lock("deleted"));
            redis.command("DEL", key("deleted"));
            awaitLoss(LossCause.DELETED, lease);
        }
    }

    @Test
    void soIsAFlush() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = tracked(leasehold.lock("flushed"));
            redis.command("FLUSHALL");
            awaitLoss(LossCause.DELETED, lease);
        }
    }

    @Test
    void soIsAnEvictedLock() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = tracked(leasehold.lock("evicted"));
            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
            redis.command("CONFIG", "SET", "maxmemory", "1");
            // Redis evicts again only before a command that may need memory.
            await().atMost(LIMIT)
                    .until(() -> redis.command("EXISTS", key("evicted")).equals(0L));
            redis.command("CONFIG", "SET", "maxmemory", "0");
            awaitLoss(LossCause.DELETED, lease);
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @Test
    void soIsALockThatAnotherClientReleasedByForceAndTookOver() throws Exception {
        try (Leasehold leasehold = connect();
                Leasehold other = connect()) {
            Lease lease = tracked(leasehold.lock("taken"));
            assertThat(other.lock("taken").forceRelease()).isTrue();
            Lease theirs = other.lock("taken").acquire();
            await().atMost(LIMIT).until(() -> losses.size() == 1);
            assertThat(losses.element().cause()).isIn(LossCause.DELETED, LossCause.TAKEN_OVER);
            assertThat(lease.isHeld()).isFalse();
            theirs.close();
        }
    }

    @Test
    void soIsAPlainLock() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = tracked(leasehold.lock("plain", Formats.plain()));
            redis.command("UNLINK", "plain");
            awaitLoss(LossCause.DELETED, lease);
        }
    }

    @Test
    void soAreAllPermitsOfOneClient() throws Exception {
        try (Leasehold leasehold = connect()) {
            List<Lease> leases = new ArrayList<>();
            for (int n = 0; n < 3; n++) {
                leases.add(leasehold.semaphore("permits", 3).acquire());
            }
            leases.forEach(lease -> lease.onLost(losses::add));
            awaitTracked(leases.get(0));
            redis.command("DEL", key("permits"));
            await().atMost(LIMIT).until(() -> losses.size() == leases.size());
        }
    }

    @Test
    void aRequestToReleaseReachesTheHolderAtOnce() throws Exception {
        try (Leasehold leasehold = connect();
                Leasehold other = connect()) {
            Lease lease = tracked(leasehold.lock("wanted"));
            Queue<Object> requests = new ConcurrentLinkedQueue<>();
            lease.onReleaseRequested(requests::add);
            assertThat(other.lock("wanted").requestRelease()).isTrue();
            await().atMost(LIMIT).until(() -> requests.size() == 1);
            assertThat(lease.isHeld()).isTrue();
            lease.close();
            assertThat(losses).isEmpty();
        }
    }

    /** A renewal is a write, which ends the tracking, and a read that begins it again. */
    @Test
    void aRenewedLeaseIsTrackedOn() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = leasehold.lock("renewed").with(RENEWED_SOON).acquire();
            awaitTracked(lease);
            Object hold = hold("renewed");
            await().atMost(LIMIT).until(() -> !hold("renewed").equals(hold));
            awaitTracked(lease);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Returns the only hold of a lock, as Redis has it. */
    private Object hold(String name) {
        return ((List<?>) redis.command("HGETALL", key(name)))
                .stream()
                        .filter(value -> value.toString().matches("\\d+:\\d+:\\d+"))
                        .findFirst()
                        .orElseThrow();
    }

    /** What changes while the connection is away is found when the next one is open. */
    @Test
    void aLostConnectionMissesNothing() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = tracked(leasehold.lock("missed"));
            Lease kept = leasehold.lock("kept").acquire();
            awaitTracked(lease, kept);
            String connection = redis.command("CLIENT", "LIST").toString();
            String tracking = connection
                    .lines()
                    .filter(line -> line.matches(".*flags=[a-zA-Z]*t.*"))
                    .map(line -> line.replaceAll(".*\\bid=(\\d+).*", "$1"))
                    .reduce((one, two) -> {
                        throw new AssertionError("two connections track keys: " + connection);
                    })
                    .orElseThrow();
            redis.command("CLIENT", "KILL", "ID", tracking);
            redis.command("DEL", key("missed"));
            awaitLoss(LossCause.DELETED, lease);
            awaitTracked(kept);
            assertThat(kept.isHeld()).isTrue();
            redis.command("DEL", key("kept"));
            await().atMost(LIMIT).until(() -> !kept.isHeld());
        }
    }

    /** Lets the tracking connection deliver nothing any more, from the next check or renewal on: only it asks whether keys exist. */
    private static void silence(FaultProxy proxy, DistributedLock lock, Queue<Object> reachable) throws Exception {
        Fault silence = proxy.matching(request -> request.startsWith("EXISTS")).dropNextReplyThenSilence();
        reachable.add(lock.acquire());
        await().atMost(LIMIT).until(() -> silence.count() == 1);
    }

    /** However long it has been silent: the next request over it finds that, and what changed meanwhile is found by the next one. */
    @Test
    void aSilentConnectionMissesNothingOnceARenewalHasFoundItSilent() throws Exception {
        Queue<Object> reachable = new ConcurrentLinkedQueue<>();
        try (FaultProxy proxy = FaultProxy.before(redis.uri());
                Leasehold leasehold = connect(proxy.uri())) {
            Lease lease = tracked(leasehold.lock("silent"));
            silence(proxy, leasehold.lock("renewed").with(RENEWED_SOON), reachable);
            redis.command("DEL", key("silent"));
            awaitLoss(LossCause.DELETED, lease);
            assertThat(reachable).isNotEmpty();
        }
    }

    @Test
    void whereNoRequestIsDueOverASilentConnectionALeaseIsLostAtItsDeadline() throws Exception {
        Queue<Object> reachable = new ConcurrentLinkedQueue<>();
        LockOptions unrenewed = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(3))
                .renewal(Renewal.none())
                .build();
        try (FaultProxy proxy = FaultProxy.before(redis.uri());
                Leasehold leasehold = Leasehold.builder()
                        .uri(proxy.uri())
                        .listener(new LeaseholdListener() {
                            @Override
                            public void lost(LossEvent event) {
                                losses.add(event);
                            }
                        })
                        .build()) {
            silence(proxy, leasehold.lock("unrenewed").with(unrenewed), reachable);
            redis.command("DEL", key("unrenewed"));
            await().atMost(LIMIT).until(() -> losses.size() == 1);
            assertThat(losses.element().cause()).isEqualTo(LossCause.EXPIRED);
            assertThat(reachable).isNotEmpty();
        }
    }

    /** Waiters write to the lock that they wait for, too: the holder finds that it still has it. */
    @Test
    void waitersDoNotDisturbTheHolder() throws Exception {
        try (Leasehold leasehold = connect();
                Leasehold other = connect()) {
            Lease lease = tracked(leasehold.lock("busy"));
            for (int n = 0; n < 10; n++) {
                CompletableFuture<Lease> waiting =
                        other.lock("busy").acquireAsync().toCompletableFuture();
                awaitWaiters("1");
                waiting.cancel(false);
                awaitWaiters(null);
            }
            awaitTracked(lease);
            lease.ensureHeld();
            assertThat(losses).isEmpty();
            redis.command("DEL", key("busy"));
            awaitLoss(LossCause.DELETED, lease);
        }
    }

    @Test
    void aReleasedLeaseIsTrackedNoMore() throws Exception {
        try (Leasehold leasehold = connect()) {
            tracked(leasehold.lock("released")).close();
            await().atMost(LIMIT).until(() -> trackedKeys() == 0);
            assertThat(losses).isEmpty();
        }
    }

    /** Where Redis forbids it, or the client does not receive it, leases are renewed as ever, and so is a loss found. */
    @Test
    void whatIsForbiddenOrNotReceivedHarmsNothing() throws Exception {
        redis.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-client", "+client|caching");
        RedisClient old = RedisClient.create(redis.uri());
        old.setOptions(
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
        try (Leasehold forbidden = Leasehold.connect(redis.uri("app", "pw"));
                Leasehold deaf = Leasehold.builder()
                        .transport(LettuceTransport.over(old))
                        .build()) {
            for (Leasehold leasehold : List.of(forbidden, deaf)) {
                Lease lease = leasehold.lock("brief").with(RENEWED_SOON).acquire();
                lease.onLost(losses::add);
                Lease renewed = leasehold.lock("renewed").with(RENEWED_SOON).acquire();
                redis.command("DEL", key("brief"));
                awaitLoss(LossCause.DELETED, lease);
                assertThat(trackedKeys()).isZero();
                renewed.ensureHeld();
                losses.clear();
                renewed.close();
            }
        } finally {
            old.shutdown();
        }
    }

    @Test
    void theyTakeOneMoreRightWithoutWhichDoctorNamesIt() throws Exception {
        for (boolean granted : new boolean[] {false, true}) {
            List<String> rights = new ArrayList<>(DocumentedRights.ofLocks());
            rights.addAll(granted ? DocumentedRights.of("tracking") : List.of());
            DocumentedRights.grant(redis, rights);
            try (Leasehold leasehold = connect(DocumentedRights.uri(redis.uri()));
                    Lease lease = leasehold.lock("x").acquire()) {
                assertThat(Diagnostics.of(leasehold).findings())
                        .filteredOn(finding -> finding.subject().equals("features"))
                        .singleElement()
                        .satisfies(
                                finding -> assertThat(finding.text())
                                        .contains(
                                                granted
                                                        ? "news of lost locks (CLIENT TRACKING)"
                                                        : "news of lost locks, so that a holder hears at its next renewal (NOPERM"));
                if (granted) {
                    awaitTracked(lease);
                }
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }
}
