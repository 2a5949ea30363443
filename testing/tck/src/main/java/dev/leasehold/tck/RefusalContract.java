package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/**
 * Invalid input and unsuitable servers: each is rejected with a message of its own, before anything is sent or
 * changed.
 */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class RefusalContract extends ContractBase {

    @TestFactory
    Stream<DynamicTest> aNameThatBreaksTheRuleIsRefusedBeforeAnythingIsSent() {
        // hazard 46: huge or odd names.
        return Stream.of(
                refusal("empty", "", "is empty", "1 to 512 bytes"),
                refusal("NUL", "a\0b", "NUL", "remove it"),
                refusal("too long", "x".repeat(513), "513 bytes", "shorten it"),
                refusal("too long in UTF-8", "锁".repeat(171), "513 bytes", "shorten it"),
                refusal("lone surrogate", "a\uD800b", "surrogate", "cut"));
    }

    private DynamicTest refusal(String what, String name, String rule, String remedy) {
        Executable test = () -> {
            Leasehold leasehold = client();
            server().resetStats();
            assertThatThrownBy(() -> leasehold.lock(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lock name")
                    .hasMessageContaining(rule)
                    .hasMessageContaining(remedy);
            assertThatThrownBy(() -> leasehold.lock("x").ownedBy(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("owner")
                    .hasMessageContaining(rule);
            assertThat(server().commandCounts()).doesNotContainKeys("evalsha", "eval");
            leasehold.close();
        };
        return DynamicTest.dynamicTest(what, test);
    }

    @Test
    void whatAdapterOrServerCannotWaitForIsRefusedBeforeAnythingIsSent() {
        Duration within = Duration.ofSeconds(3);
        LockOptions onDisk = LockOptions.builder().onDisk(2, within).build();
        DistributedLock lock = client().lock(name());
        server().resetStats();
        // Over Lettuce a server from 7.2 on accepts it; whichever side refuses names the remedy.
        Throwable refusal = catchThrowable(() -> lock.with(onDisk));
        if (refusal != null) {
            assertThat(refusal)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("onDisk(2, PT3S)")
                    .hasMessageContaining("leave onDisk out");
        }
        assertThat(server().commandCounts()).doesNotContainKeys("evalsha", "eval");
    }

    @Test
    void anyOtherNameIsALockOfItsOwn() throws Exception {
        Leasehold leasehold = client();
        List<String> names = List.of(
                "x".repeat(512), "锁".repeat(170), "a{b}c", "{}", "}{", "a b", "\r\n", "😀", "a:b", "*", "a%7Bb", "%");
        for (String name : names) {
            leasehold.lock(name).lock();
        }
        for (String name : names) {
            assertThat(client().lock(name).tryLock()).isFalse();
            assertThat(client().lock(name).inspect())
                    .get()
                    .extracting(info -> info.name())
                    .isEqualTo(name);
        }
        assertThat(client().inspector().locks()).hasSize(names.size());
    }

    @Test
    void keysHaveOneHashTagWhateverTheNameSoThatUsersCannotMoveThemBetweenSlots() throws Exception {
        // hazard 45: braces in names.
        try (EmbeddedRedis cluster =
                EmbeddedRedis.builder().config("cluster-enabled", "yes").start()) {
            Random random = new Random(45);
            Leasehold leasehold = client();
            for (int i = 0; i < 200; i++) {
                String name = randomName(random);
                try (Lease lease = leasehold.lock(name).acquire()) {
                    lease.ensureHeld();
                    List<?> keys = list(server().command("KEYS", "leasehold:*"));
                    String key = keys.get(0).toString();
                    assertThat(key).matches("leasehold:\\{[^{}]+}");
                    String tag = key.substring("leasehold:{".length(), key.length() - 1);
                    assertThat(cluster.command("CLUSTER", "KEYSLOT", key))
                            .isEqualTo(cluster.command("CLUSTER", "KEYSLOT", tag));
                }
                server().command("FLUSHALL");
            }
        }
    }

    private static String randomName(Random random) {
        String alphabet = "ab{}%:锁 \n";
        StringBuilder name = new StringBuilder();
        for (int i = 0; i <= random.nextInt(12); i++) {
            name.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return name.toString();
    }

    @TestFactory
    Stream<DynamicTest> aTimeThatBreaksTheRuleIsRefused() {
        // hazard 54: zero, negative, overflowing, too short.
        DistributedLock lock = client().lock(name());
        return Stream.of(
                badOption("zero lease", "too short", () -> lease(0)),
                badOption("negative lease", "too short", () -> lease(-1)),
                badOption("lease below the minimum", "at least PT0.05S", () -> unrenewed(49)),
                badOption(
                        "overflowing lease",
                        "at most",
                        () -> LockOptions.builder()
                                .leaseTime(Duration.ofSeconds(Long.MAX_VALUE))
                                .build()),
                badOption(
                        "lease too short for its renewal",
                        "too short for a renewal",
                        () -> LockOptions.builder()
                                .leaseTime(Duration.ofMillis(100))
                                .renewal(Renewal.afterRatio(0.9))
                                .build()),
                badOption("lease above the client's maximum", "maximum", () -> lock.with(unrenewed(90_000_000))),
                badOption("negative wait", "negative", () -> lock.tryAcquire(Duration.ofSeconds(-1))),
                badOption("ratio of one", "between 0 and 1", () -> Renewal.afterRatio(1)),
                badOption(
                        "zero maximum hold",
                        "positive",
                        () -> LockOptions.builder().maxHold(Duration.ZERO).build()));
    }

    private static DynamicTest badOption(String what, String rule, Executable call) {
        return DynamicTest.dynamicTest(
                what,
                () -> assertThatThrownBy(call::execute)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(rule));
    }

    @Test
    void aBadExtensionIsRefusedAndTheLeaseIsUnchanged() throws Exception {
        try (Lease lease = client().lock(name()).acquire()) {
            assertThatThrownBy(() -> lease.extend(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> lease.extend(Duration.ofSeconds(Long.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maximum");
            lease.ensureHeld();
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(30));
        }
    }

    @TestFactory
    Stream<DynamicTest> aForeignKeyUnderTheNameIsRefusedByItsTypeAndLeftAsItIs() {
        // hazards 30 and 55: another tool's value, or a lock of another layout.
        return Stream.of(
                foreign("string", "string", "SET", "x"),
                foreign("list", "list", "RPUSH", "x"),
                foreign("set", "set", "SADD", "x"),
                foreign("hash", "hash", "HSET", "f", "x"),
                foreign("another layout", "layout 2", "HSET", "v", "2"));
    }

    private DynamicTest foreign(String what, String found, String command, String... rest) {
        Executable test = () -> {
            String name = name();
            String[] args = Stream.concat(Stream.of(command, key(name)), Stream.of(rest))
                    .toArray(String[]::new);
            server().command(args);
            Object before = server().command("DUMP", key(name));
            DistributedLock lock = client().lock(name);
            for (Executable use : List.<Executable>of(
                    lock::tryAcquire, lock::tryLock, lock::inspect, lock::forceRelease, lock::acquire)) {
                assertThatThrownBy(use::execute)
                        .isInstanceOf(ForeignKeyException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining(found)
                        .hasMessageContaining("not changed");
            }
            assertThat(server().command("DUMP", key(name))).isEqualTo(before);
            assertThat(server().command("PTTL", key(name))).isEqualTo(-1L);
        };
        return DynamicTest.dynamicTest(what, test);
    }

    @Test
    void aWrongUriIsRefusedWithoutItsPassword() {
        assertThatThrownBy(() -> Leasehold.connect("http://u:s3cret@localhost:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> Leasehold.connect("redis://u:s3 cret@localhost:1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("cret@");
        assertThatThrownBy(() -> Leasehold.connect("redis:///1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aWrongPasswordIsRefusedInWordsAndNeverShown() {
        try (EmbeddedRedis guarded = EmbeddedRedis.builder().password("s3cret").start()) {
            String wrong = "redis://:wr0ng@" + guarded.host() + ":" + guarded.port();
            assertThatThrownBy(() -> client(wrong, builder -> {}))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("refused")
                    .hasMessageNotContaining("..")
                    .hasMessageNotContaining("wr0ng");
            client(guarded.uri(), builder -> {}).lock(name()).tryLock();
        }
    }

    @Test
    void missingRightsAreFoundAtConnectAndExplained() {
        // hazards 27 and 44: a missing permission must not surface in the middle of an unlock.
        try (EmbeddedRedis guarded = EmbeddedRedis.builder()
                .user("noexpire", "on", ">p", "~leasehold:*", "resetchannels", "+@all", "-pexpireat")
                .user("nolater", "on", ">p", "~leasehold:*", "resetchannels", "+@all", "-pexpireat")
                .user("nokeys", "on", ">p", "~other:*", "resetchannels", "+@all")
                .user("nopubsub", "on", ">p", "~leasehold:*", "resetchannels", "+@all", "-@pubsub")
                .start()) {
            for (String user : List.of("noexpire", "nokeys")) {
                Leasehold leasehold = client(guarded.uri(user, "p"), builder -> {});
                assertThat(Diagnostics.of(leasehold).findings())
                        .filteredOn(finding -> finding.level() == Finding.Level.DANGER)
                        .extracting(Finding::subject)
                        .containsExactly("rights");
                assertThatThrownBy(() -> leasehold.lock(name()).tryAcquire())
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("docs/operations.md");
            }
            // A free lock can be acquired, so only the check finds what a release would lack when others wait.
            assertThat(Diagnostics.of(client(guarded.uri("nolater", "p"), builder -> {}))
                            .findings())
                    .filteredOn(finding -> finding.level() == Finding.Level.DANGER)
                    .extracting(Finding::subject)
                    .containsExactly("rights");
            // A lock needs no channel in this version.
            DistributedLock lock =
                    client(guarded.uri("nopubsub", "p"), builder -> {}).lock(name());
            lock.lock();
            lock.unlock();
        }
    }
}
