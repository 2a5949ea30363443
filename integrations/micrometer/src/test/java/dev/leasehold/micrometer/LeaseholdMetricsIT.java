package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.Renewal;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters of a real client on a real server. */
@WithRedis
class LeaseholdMetricsIT {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EmbeddedRedis redis;
    private final Leasehold leasehold;
    private final Leasehold other;

    LeaseholdMetricsIT(EmbeddedRedis redis) {
        this.redis = redis;
        leasehold = Leasehold.builder()
                .uri(redis.uri())
                .listener(LeaseholdMetrics.of(registry))
                .build();
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void close() {
        leasehold.close();
        other.close();
    }

    private static void eventually(ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(check);
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double counter(String name) {
        return registry.get(name).counter().count();
    }

    private long timer(String name, String outcome) {
        return registry.get(name).tag("outcome", outcome).timer().count();
    }

    @Test
    void heldLeasesAndTheirHoldTimes() throws Exception {
        Lease one = leasehold.lock("one").acquire();
        Lease two = leasehold.lock("two").acquire();
        eventually(() -> assertThat(gauge("leasehold.held")).isEqualTo(2));
        one.release();
        two.release();
        eventually(() -> {
            assertThat(gauge("leasehold.held")).isZero();
            assertThat(counter("leasehold.acquired")).isEqualTo(2);
            assertThat(timer("leasehold.hold", "released")).isEqualTo(2);
            assertThat(timer("leasehold.hold", "lost")).isZero();
        });
        assertThat(registry.get("leasehold.hold")
                        .tag("outcome", "released")
                        .timer()
                        .totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
    }

    private double connections(String purpose) {
        return registry.get("leasehold.connections")
                .tag("purpose", purpose)
                .gauge()
                .value();
    }

    private double connectionsOpened(String purpose) {
        return registry.get("leasehold.connections.opened")
                .tag("purpose", purpose)
                .functionCounter()
                .count();
    }

    /** Some clients open another connection only when it is used. */
    @Test
    void connectionsByPurpose() throws Exception {
        leasehold.lock("used").acquire().release();
        double opened = connectionsOpened("commands");
        assertThat(connections("commands")).isBetween(1.0, opened);
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        eventually(() -> {
            leasehold.lock("used").acquire().release();
            assertThat(connectionsOpened("commands")).isGreaterThan(opened);
            assertThat(connections("commands")).isPositive().isLessThan(connectionsOpened("commands"));
        });
        assertThat(connections("sentinel")).isZero();
    }

    @Test
    void failedConnectionsByPurpose() {
        redis.kill();
        try {
            eventually(() -> {
                assertThatThrownBy(() -> leasehold.lock("used").tryAcquire())
                        .isInstanceOf(LockUnavailableException.class);
                assertThat(registry.get("leasehold.connections.failed")
                                .tag("purpose", "commands")
                                .functionCounter()
                                .count())
                        .isPositive();
            });
            eventually(() -> assertThat(connections("commands")).isZero());
        } finally {
            redis.restart();
        }
    }

    @Test
    void waitingAcquisitionsAndTheirOutcomes() throws Exception {
        Lease held = other.lock("wanted").acquire();
        CompletableFuture<Lease> waiter =
                leasehold.lock("wanted").acquireAsync().toCompletableFuture();
        eventually(() -> assertThat(gauge("leasehold.waiting")).isEqualTo(1));
        assertThat(leasehold.lock("wanted").tryAcquire()).isEmpty();
        assertThat(leasehold.lock("wanted").tryAcquire(Duration.ofMillis(50))).isEmpty();
        eventually(() -> {
            assertThat(counter("leasehold.busy")).isEqualTo(2);
            assertThat(timer("leasehold.wait", "busy")).isEqualTo(1);
            assertThat(gauge("leasehold.waiting")).isEqualTo(1);
        });
        held.release();
        waiter.get(20, TimeUnit.SECONDS).release();
        eventually(() -> {
            assertThat(gauge("leasehold.waiting")).isZero();
            assertThat(timer("leasehold.wait", "acquired")).isEqualTo(1);
        });
    }

    private double failed(String name, String reason) {
        return registry.get(name).tag("reason", reason).counter().count();
    }

    @Test
    void acquisitionsAndRenewalsThatFailByReason() throws Exception {
        Lease held = leasehold
                .lock("held")
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(6)).build())
                .acquire();
        assertThat(failed("leasehold.failed", "out_of_memory")).isZero();
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> leasehold.lock("new").tryAcquire()).isInstanceOf(RedisOutOfMemoryException.class);
            eventually(() ->
                    assertThat(failed("leasehold.failed", "out_of_memory")).isEqualTo(1));
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
        redis.command("ACL", "SETUSER", "default", "-evalsha", "-eval");
        try {
            assertThatThrownBy(() -> leasehold.lock("new").tryAcquire()).isInstanceOf(LockUnavailableException.class);
            eventually(() -> {
                assertThat(failed("leasehold.failed", "not_permitted")).isEqualTo(1);
                assertThat(failed("leasehold.renewal.failed", "not_permitted")).isPositive();
            });
        } finally {
            redis.command("ACL", "SETUSER", "default", "+evalsha", "+eval");
        }
        assertThat(failed("leasehold.failed", "no_answer")).isZero();
        held.close();
    }

    @Test
    void handOffsWithinTheProcess() throws Exception {
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        Lease held = leasehold.lock("popular").acquire();
        for (int i = 0; i < 5; i++) {
            waiters.add(leasehold.lock("popular").acquireAsync().toCompletableFuture());
        }
        eventually(() -> assertThat(gauge("leasehold.waiting")).isEqualTo(5));
        held.release();
        for (CompletableFuture<Lease> waiter : waiters) {
            waiter.get(20, TimeUnit.SECONDS).release();
        }
        eventually(() -> {
            assertThat(counter("leasehold.acquired")).isEqualTo(6);
            assertThat(counter("leasehold.handoffs")).isBetween(1.0, 5.0);
            assertThat(gauge("leasehold.held")).isZero();
        });
    }

    @Test
    void retainedHoldsAndTheirUses() throws Exception {
        DistributedLock lock = leasehold
                .lock("retained")
                .with(LockOptions.builder().retainFor(Duration.ofMillis(500)).build());
        // Again and again: the first releases may come before the client receives wake-ups, and a hold is retained for
        // half a second.
        eventually(() -> {
            double idle = gauge("leasehold.retained");
            double reused = counter("leasehold.reused");
            lock.acquire().close();
            assertThat(idle).isEqualTo(1);
            assertThat(reused).isPositive();
        });
        try (Lease theirs = other.lock("retained").acquire()) {
            eventually(() -> assertThat(gauge("leasehold.retained")).isZero());
            assertThat(theirs.isHeld()).isTrue();
        }
    }

    @Test
    void renewalsAndLossesByCause() throws Exception {
        LockOptions often =
                LockOptions.builder().renewal(Renewal.afterRatio(0.02)).build();
        Lease lease = leasehold.lock("renewed").with(often).acquire();
        eventually(
                () -> assertThat(registry.get("leasehold.renewal.lag").timer().count())
                        .isPositive());
        redis.command("FLUSHALL");
        eventually(() -> assertThat(registry.get("leasehold.lost")
                        .tag("cause", "deleted")
                        .counter()
                        .count())
                .isEqualTo(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(gauge("leasehold.held")).isZero();
        assertThat(timer("leasehold.hold", "lost")).isEqualTo(1);
    }

    @Test
    void aClosedClientHoldsNothing() throws Exception {
        Lease left = leasehold.lock("left").acquire();
        eventually(() -> assertThat(gauge("leasehold.held")).isEqualTo(1));
        leasehold.close();
        eventually(() -> assertThat(gauge("leasehold.held")).isZero());
        assertThat(left.isHeld()).isFalse();
    }
}
