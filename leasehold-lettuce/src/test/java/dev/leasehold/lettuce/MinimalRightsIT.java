package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLatch;
import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.OwnedLock;
import dev.leasehold.TlsOptions;
import dev.leasehold.inspect.Finding;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.script.TokenFloor;
import dev.leasehold.internal.script.Waiter;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rights in section 6 of {@code docs/guarantees.md} suffice for everything, and none of them is superfluous. */
@WithRedis
class MinimalRightsIT {

    private static final Pattern COMMAND = Pattern.compile("<!-- acl: app -->\n```text\nACL SETUSER app (.*)\n```");
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final EmbeddedRedis redis;

    MinimalRightsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    static List<String> rights() {
        Matcher command = COMMAND.matcher(document());
        assertThat(command.find()).as("the command in docs/guarantees.md").isTrue();
        return Arrays.asList(command.group(1).split(" "));
    }

    static String document() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve(".ci"))) {
            root = root.getParent();
        }
        try {
            return Files.readString(root.resolve("docs/guarantees.md"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    static List<String> commands() {
        return rights().stream().filter(right -> right.startsWith("+")).toList();
    }

    @Test
    void suffice() throws Exception {
        grant(rights());
        useEverything();
        try (Leasehold leasehold = Leasehold.builder()
                .uri(redis.uri("app", "secret"))
                .preflight(Preflight.REFUSE)
                .build()) {
            assertThat(leasehold.inspector().diagnose())
                    .filteredOn(finding -> finding.subject().equals("rights"))
                    .extracting(Finding::level)
                    .containsExactly(Finding.Level.FINE);
        }
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

    @ParameterizedTest
    @MethodSource("commands")
    void areAllNeeded(String command) {
        List<String> rights = new ArrayList<>(rights());
        rights.remove(command);
        grant(rights);
        assertThat(catchThrowable(this::useEverything)).as("without " + command).isNotNull();
    }

    private void grant(List<String> rights) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset", ">secret"));
        command.addAll(rights);
        redis.command(command.toArray(String[]::new));
        // So that EVAL is needed, too.
        redis.command("SCRIPT", "FLUSH");
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
            assertThat(leasehold.inspector().diagnose())
                    .extracting(Finding::subject)
                    .contains("version")
                    .doesNotContain("wake-ups");
            waitInTheQueue(leasehold.lock("w"));
            useLatch(leasehold.latch("l"));
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

    /** What happens when more than one copy of an acquire was sent. */
    private void leaveTombstone() throws Exception {
        LockKey key = LockKey.of(new KeyPrefix("leasehold"), "buried");
        AcquisitionId id = new AcquisitionId("AAAAAAAAAAAAAAAAAAAAAA");
        Retention retention = new Retention(Duration.ofSeconds(1));
        ServerTime later = new ServerTime(1L << 52);
        try (RedisTransport transport = transport()) {
            var acquire = new AcquireScript(retention)
                    .call(
                            key,
                            id,
                            OwnerKey.anonymous(id),
                            new LeaseSpan(1_000_000_000),
                            later,
                            new TokenFloor(0),
                            new Holder("1@host", "main", ""),
                            Waiter.NONE,
                            TIMEOUT.toNanos());
            assertThat(transport.eval(acquire).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .startsWith("granted");
            var release = new ReleaseScript(retention, true).call(key, id, later, TIMEOUT.toNanos());
            assertThat(transport.eval(release).toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .startsWith("released");
        } finally {
            redis.command("DEL", key.key());
        }
    }

    private Leasehold connect(String database) {
        return Leasehold.builder()
                .uri(redis.uri("app", "secret") + database)
                .commandTimeout(TIMEOUT)
                .preflight(Preflight.OFF)
                .build();
    }

    private RedisTransport transport() {
        return LettuceTransport.create(new ConnectionSettings(
                URI.create(redis.uri("app", "secret")), "leasehold", TIMEOUT, TIMEOUT, TlsOptions.defaults()));
    }
}
