package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.TlsOptions;
import dev.leasehold.inspect.Finding;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rights of clients without scripts in section 2 of {@code docs/operations.md} suffice, and none of them is superfluous. */
@WithRedis
class MinimalRightsWithoutScriptsIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String KEY = "import:17";

    private final EmbeddedRedis redis;

    MinimalRightsWithoutScriptsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    static List<String> rights() {
        return DocumentedRights.of("scriptfree");
    }

    /** Those that can be left out one by one. */
    static List<String> needed() {
        return rights().stream()
                .filter(right -> right.startsWith("+") || right.startsWith("~leasehold"))
                .toList();
    }

    @Test
    void suffice() throws Exception {
        DocumentedRights.grant(redis, rights());
        try (Leasehold leasehold = connect(Preflight.REFUSE)) {
            assertThat(leasehold.inspector().diagnose())
                    .filteredOn(finding -> finding.subject().equals("rights"))
                    .extracting(Finding::level)
                    .containsExactly(Finding.Level.FINE);
            DistributedLock lock = leasehold.lock(KEY, LockFormat.plain());
            try (Lease lease = lock.acquire(TIMEOUT)) {
                assertThat(lease.extend(Duration.ofSeconds(40))).isTrue();
                lease.ensureHeld();
                assertThat(lock.tryAcquire()).isEmpty();
                assertThat(lock.inspect()).isPresent();
                assertThat(lock.forceRelease()).isTrue();
                assertThatThrownBy(lease::release).hasMessageContaining(KEY);
            }
            waitAndRenew(lock.with(LockOptions.builder()
                    .leaseTime(Duration.ofSeconds(20))
                    .renewal(Renewal.afterRatio(0.02))
                    .build()));
            redis.command("HSET", KEY, "some", "thing");
            assertThatThrownBy(lock::tryAcquire).isInstanceOf(ForeignKeyException.class);
        } finally {
            redis.command("DEL", KEY);
        }
    }

    private void waitAndRenew(DistributedLock lock) throws Exception {
        Lease held = lock.acquire(TIMEOUT);
        CompletableFuture<Lease> waiter = lock.acquireAsync().toCompletableFuture();
        redis.resetStats();
        await().atMost(Calls.LIMIT).until(() -> redis.commandCounts().containsKey("pexpire"));
        held.ensureHeld();
        held.release();
        waiter.get(10, TimeUnit.SECONDS).release();
    }

    @Test
    void openNoOtherKeysAndNoOtherCommands() {
        DocumentedRights.grant(redis, rights());
        try (RedisTransport transport = LettuceTransport.create(new ConnectionSettings(
                URI.create(redis.uri("app", "secret")), "leasehold", TIMEOUT, TIMEOUT, TlsOptions.defaults()))) {
            for (List<String> forbidden : List.of(
                    List.of("GET", "somebody:else"),
                    List.of("EVAL", "return 1", "0"),
                    List.of("EVALSHA", "0".repeat(40), "0"),
                    List.of("HSET", KEY, "f", "v"),
                    List.of("PUBLISH", "leasehold:w:x", ""),
                    List.of("FLUSHALL"))) {
                assertThatThrownBy(() -> transport
                                .command(null, forbidden)
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS))
                        .hasMessageContaining("NOPERM");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("needed")
    void areAllNeededAndWhatIsMissingIsNamed(String right) {
        List<String> rights = new ArrayList<>(rights());
        rights.remove(right);
        DocumentedRights.grant(redis, rights);
        Refusals.assertNamed(right, refusals());
    }

    /** The messages for such a user. */
    private List<String> refusals() {
        List<String> told = new ArrayList<>();
        try (Leasehold leasehold = connect(Preflight.OFF)) {
            told.addAll(Refusals.diagnosed(leasehold));
        } catch (RuntimeException e) {
            told.add(String.valueOf(e.getMessage()));
        }
        return told;
    }

    private Leasehold connect(Preflight preflight) {
        return Leasehold.builder()
                .uri(redis.uri("app", "secret"))
                .scripts(Scripts.NONE)
                .commandTimeout(TIMEOUT)
                .preflight(preflight)
                .build();
    }
}
