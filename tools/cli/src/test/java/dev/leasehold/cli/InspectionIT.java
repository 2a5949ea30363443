package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InspectionIT {

    @RegisterExtension
    static final EmbeddedRedisExtension REDIS = EmbeddedRedisExtension.perClass();

    /** Clears the screen, forges a line, and reverses the reading direction. */
    private static final String HOSTILE = "a\u001b[2J\nroot\u202E\\b";

    private static final String SHOWN = "a\\u001b[2J\\u000aroot\\u202e\\\\b";

    private Leasehold leasehold;

    @BeforeEach
    void connect() {
        leasehold = Leasehold.connect(REDIS.uri());
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void listsHeldLocksInATable() throws Exception {
        Lease order = leasehold.lock("order-17").ownedBy("billing").acquire();
        leasehold.lock("order-17").ownedBy("billing").acquire();
        Lease lottery = leasehold.lock("彩票").acquire();
        CliProcess ls = process("ls");
        assertThat(ls.exitCode()).isZero();
        assertThat(ls.err()).isEmpty();
        String[] lines = ls.out().split("\n");
        assertThat(lines).hasSize(3);
        assertThat(lines[0].split(" +"))
                .containsExactly("NAME", "KIND", "OWNER", "HOST", "PID", "THREAD", "SINCE", "LEFT", "TOKEN", "HOLDS");
        long pid = ProcessHandle.current().pid();
        assertThat(lines[1])
                .startsWith("order-17  lock  billing")
                .contains(
                        " " + pid + "  " + Thread.currentThread().getName() + " ", " " + order.fencingToken() + "  2");
        assertThat(lines[2]).startsWith("彩票      lock  ").contains(" " + lottery.fencingToken() + "  1");
    }

    @Test
    void listsAnEmptyServer() {
        assertThat(cli("ls").out()).isEqualTo("No lock is held.\n");
        assertThat(json(cli("ls", "--json"))).isEmpty();
    }

    @Test
    void listsHeldLocksAsJson() throws Exception {
        LockOptions labelled = LockOptions.builder().label("trace 1").build();
        Lease lease = leasehold.lock(HOSTILE).with(labelled).acquire();
        JsonNode locks = json(cli("ls", "--json"));
        assertThat(locks).hasSize(1);
        JsonNode lock = locks.get(0);
        assertThat(lock.get("name").asText()).isEqualTo(HOSTILE);
        assertThat(lock.get("kind").asText()).isEqualTo("lock");
        assertThat(lock.get("owner").asText()).isNotEmpty();
        assertThat(lock.get("ownerNamed").asBoolean()).isFalse();
        assertThat(lock.get("host").asText()).isNotEmpty();
        assertThat(lock.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(lock.get("thread").asText()).isEqualTo(Thread.currentThread().getName());
        assertThat(Instant.parse(lock.get("since").asText())).isBefore(Instant.now());
        assertThat(lock.get("leftMillis").asLong()).isBetween(1L, 30_000L);
        assertThat(lock.get("token").asLong()).isEqualTo(lease.fencingToken());
        assertThat(lock.get("holds").asInt()).isEqualTo(1);
        assertThat(lock.get("label").asText()).isEqualTo("trace 1");
        assertThat(lock.get("handsOff").asBoolean()).isFalse();
    }

    @Test
    void showsThatAProcessHandsTheLockOffToItsOwnWaiters() throws Exception {
        AtomicInteger waiting = new AtomicInteger();
        LeaseholdListener counting = new LeaseholdListener() {
            @Override
            public void waiting(WaitingEvent event) {
                waiting.incrementAndGet();
            }
        };
        leasehold.close();
        leasehold = Leasehold.builder().uri(REDIS.uri()).listener(counting).build();
        CompletableFuture<Lease> first;
        CompletableFuture<Lease> second;
        try (Leasehold other = Leasehold.connect(REDIS.uri())) {
            Lease before = other.lock("busy").acquire();
            first = leasehold.lock("busy").acquireAsync().toCompletableFuture();
            second = leasehold.lock("busy").acquireAsync().toCompletableFuture();
            // Otherwise one would have the lock before the other waits.
            await().atMost(CliProcess.LIMIT).until(() -> waiting.get() == 2);
            before.release();
        }
        Lease lease = first.get(20, TimeUnit.SECONDS);
        assertThat(cli("show", "busy").out().lines())
                .contains("token       " + lease.fencingToken())
                .anyMatch(line -> line.startsWith("hand-off    yes"));
        assertThat(json(cli("show", "busy", "--json")).get("handsOff").asBoolean())
                .isTrue();
        second.cancel(false);
        lease.release();
        assertThat(cli("show", "busy").out()).isEqualTo("busy: not held.\n");
    }

    @Test
    void showsOneLock() throws Exception {
        Lease lease = leasehold.lock("order-17").ownedBy("billing").acquire();
        CliResult show = cli("show", "order-17");
        assertThat(show.exitCode()).isZero();
        assertThat(show.out().lines())
                .contains(
                        "name        order-17",
                        "kind        lock",
                        "owner       billing",
                        "pid         " + ProcessHandle.current().pid(),
                        "thread      " + Thread.currentThread().getName(),
                        "token       " + lease.fencingToken(),
                        "holds       1")
                .anyMatch(line -> line.startsWith("host  "))
                .anyMatch(line -> line.startsWith("since  "))
                .anyMatch(line -> line.matches("lease left +[0-9.]+ s"));
        assertThat(json(cli("show", "order-17", "--json")).get("held").asBoolean())
                .isTrue();
    }

    @Test
    void listsLatchesBelowTheLocks() throws Exception {
        Latches.of(leasehold).latch("start").trySet(3, Duration.ofMinutes(5));
        Latches.of(leasehold).latch("start").countDown();
        Latches.of(leasehold).latch("end").trySet(1, Duration.ofMinutes(5));
        Latches.of(leasehold).latch("end").countDown();
        assertThat(cli("ls").out())
                .matches(
                        "No lock is held\\.\n\nLATCH +COUNT +LEFT\nend +reached +-\nstart +2 to count +[0-9 minsh.]+\n");
        leasehold.lock("order-17").acquire();
        assertThat(cli("ls").out().lines().toList())
                .hasSize(6)
                .element(1)
                .asString()
                .startsWith("order-17  lock  ");
        JsonNode all = json(cli("ls", "--json"));
        assertThat(all).extracting(one -> one.get("kind").asText()).containsExactly("lock", "latch", "latch");
        assertThat(all.get(1).get("name").asText()).isEqualTo("end");
        assertThat(all.get(1).get("count").asInt()).isZero();
        assertThat(all.get(1).get("leftMillis").isNull()).isTrue();
        assertThat(all.get(2).get("count").asInt()).isEqualTo(2);
        assertThat(all.get(2).get("leftMillis").asLong()).isBetween(1L, 300_000L);
    }

    @Test
    void showsOneLatch() {
        Latches.of(leasehold).latch("start").trySet(3, Duration.ofMinutes(5));
        CliResult show = cli("show", "start");
        assertThat(show.exitCode()).isZero();
        assertThat(show.out().lines())
                .startsWith("name        start", "kind        latch", "count       3 to count")
                .element(3)
                .asString()
                .startsWith("left        ");
        JsonNode json = json(cli("show", "start", "--json"));
        assertThat(json.get("kind").asText()).isEqualTo("latch");
        assertThat(json.get("count").asInt()).isEqualTo(3);
        assertThat(json.has("held")).isFalse();
    }

    @Test
    void readersAreListedAsSuch() throws Exception {
        leasehold.readWriteLock("report").readLock().acquire();
        assertThat(cli("ls").out().lines().toList())
                .hasSize(2)
                .element(1)
                .asString()
                .startsWith("report  readers  ");
        assertThat(cli("show", "report").out().lines()).contains("kind        readers");
        assertThat(json(cli("show", "report", "--json")).get("kind").asText()).isEqualTo("readers");
    }

    /** The leader holds the lock of that name, and the lock's token is the number of its term. */
    @Test
    void showsTheLeaderOfAnElection() {
        CompletableFuture<Long> elected = new CompletableFuture<>();
        try (Candidacy candidacy = Elections.of(leasehold).election("scheduler").stand(new LeaderListener() {
            @Override
            public void onElected(Term term) {
                elected.complete(term.fencingToken());
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {}
        })) {
            String token =
                    String.valueOf(elected.orTimeout(20, TimeUnit.SECONDS).join());
            assertThat(candidacy.isLeader()).isTrue();
            assertThat(cli("ls").out().lines().toList())
                    .hasSize(2)
                    .element(1)
                    .asString()
                    .startsWith("scheduler  lock  ")
                    .contains(" " + ProcessHandle.current().pid() + " ", " " + token + " ");
            assertThat(cli("show", "scheduler").out().lines())
                    .contains(
                            "kind        lock",
                            "token       " + token,
                            "pid         " + ProcessHandle.current().pid());
        }
        assertThat(cli("show", "scheduler").out()).isEqualTo("scheduler: not held.\n");
    }

    @Test
    void showsAPlainLockByItsKey() throws Exception {
        Lease lease = leasehold.lock("import:17", Formats.plain()).acquire();
        assertThat(cli("ls").out()).isEqualTo("No lock is held.\n");
        assertThat(cli("show", "import:17").out()).isEqualTo("import:17: not held.\n");
        CliResult show = cli("show", "--format=plain", "import:17");
        assertThat(show.exitCode()).isZero();
        assertThat(show.out().lines())
                .contains(
                        "name        import:17",
                        "kind        plain",
                        "pid         " + ProcessHandle.current().pid(),
                        "thread      " + Thread.currentThread().getName(),
                        "token       none beside the holder")
                .anyMatch(line -> line.startsWith("since  "));
        JsonNode json = json(cli("show", "--format=plain", "import:17", "--json"));
        assertThat(json.get("kind").asText()).isEqualTo("plain");
        assertThat(json.get("held").asBoolean()).isTrue();
        lease.release();
        assertThat(cli("show", "--format=plain", "import:17").out()).isEqualTo("import:17: not held.\n");
    }

    @Test
    void showsThatAnotherLibraryHoldsAPlainLock() {
        REDIS.server().command("SET", "import:17", "c0ffee\u001b[2J", "NX", "PX", "60000");
        CliResult show = cli("show", "--format=plain", "import:17");
        assertThat(show.exitCode()).isZero();
        assertThat(show.out().lines())
                .contains(
                        "owner       c0ffee\\u001b[ (the beginning of the value under its key)",
                        "holder      unknown: another library holds it")
                .noneMatch(line -> line.startsWith("pid"));
        assertThat(json(cli("show", "--format=plain", "import:17", "--json"))
                        .get("since")
                        .isNull())
                .isTrue();
        REDIS.server().command("RPUSH", "list", "of another tool");
        CliResult refused = cli("show", "--format=plain", "list");
        assertThat(refused.exitCode()).isEqualTo(65);
        refused.assertOneLineError("list");
    }

    @Test
    void listsTheLocksThatAnotherLibraryShares() throws InterruptedException {
        REDIS.server().command("HSET", "order:17", "2c1f73a2-8f24-4f0e-9b8e-0d6c3f2f4c11:33", "1");
        REDIS.server().command("PEXPIRE", "order:17", "60000");
        REDIS.server().command("HSET", "order:settings", "some", "thing", "more", "things");
        Lease lease = leasehold.lock("order:18", Formats.redissonFenced()).acquire();
        CliResult ls = cli("ls", "--format=redisson-fenced");
        assertThat(ls.exitCode()).isZero();
        String[] lines = ls.out().split("\n");
        assertThat(lines).hasSize(3);
        assertThat(lines[1]).matches("order:17 +lock +2c1f73a2\\S* +- +- +- +- +[\\d.]+ s +- +1\\s*");
        assertThat(lines[2]).startsWith("order:18 ").contains(" " + lease.fencingToken() + " ");
        assertThat(cli("ls", "--format=redisson", "--match=*8").out().lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("order:18 ");
        cli("ls", "--format=redisson", "--waiting").assertOneLineError("--waiting needs --format leasehold");
    }

    /** Another program may write any text as the token of a lock; a number of 64 bits may be too small for it. */
    @Test
    void listsALockWhoseTokenCannotBeRead() throws InterruptedException {
        leasehold.lock("sound").acquire();
        for (String token : List.of("99999999999999999999", "-7", "many")) {
            leasehold.lock("spoilt").acquire();
            REDIS.server().command("HSET", "leasehold:{spoilt}", "last", token);
            CliResult ls = cli("ls");
            assertThat(ls.exitCode()).as(token).isZero();
            assertThat(ls.out()).contains("sound", "spoilt", "cannot be read: 'last'");
            assertThat(json(cli("show", "spoilt", "--json")).get("problem").asText())
                    .isEqualTo("cannot be read: 'last'");
            assertThat(cli("show", "spoilt").out()).contains("problem     cannot be read: 'last'");
            assertThat(cli("release", "spoilt", "--force", "--yes").exitCode()).isZero();
        }
        Lease fenced = leasehold.lock("order:19", Formats.redissonFenced()).acquire();
        assertThat(cli("show", "--format=redisson-fenced", "order:19").out())
                .contains("token       " + fenced.fencingToken());
        REDIS.server().command("SET", "redisson_lock_token:{order:19}", "9223372036854775808");
        assertThat(cli("show", "--format=redisson-fenced", "order:19").out())
                .contains("problem     cannot be read: the fencing token");
    }

    @Test
    void listsTheLocksWhoseNamesMatch() throws InterruptedException {
        leasehold.lock("order:17").acquire();
        leasehold.lock("stock").acquire();
        Latches.of(leasehold).latch("order:latch").trySet(1, Duration.ofMinutes(5));
        assertThat(cli("ls", "--match=order:*").out().lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("order:17 ");
        assertThat(cli("ls", "--match=none").out()).isEqualTo("No lock is held.\n");
    }

    @Test
    void showsAFreeLock() {
        CliResult show = cli("show", "free");
        assertThat(show.exitCode()).isEqualTo(1);
        assertThat(cli("show", "free", "--format=plain").exitCode()).isEqualTo(1);
        assertThat(show.out()).isEqualTo("free: not held.\n");
        JsonNode json = json(cli("show", "free", "--json"));
        assertThat(json.get("held").asBoolean()).isFalse();
        assertThat(json.get("name").asText()).isEqualTo("free");
    }

    /** Any client can choose the name of a lock, so the terminal must not receive it unescaped. */
    @Test
    void printsNoControlCharacterOfANameFromRedis() throws Exception {
        leasehold.lock(HOSTILE).ownedBy(HOSTILE).acquire();
        String table = process("ls").out();
        assertThat(table.lines()).hasSize(2);
        assertThat(table).contains(SHOWN + "  lock  " + SHOWN).doesNotContain("\u001b", "\u202E");
        assertThat(cli("show", HOSTILE).out()).contains("name        " + SHOWN).doesNotContain("\u001b", "\u202E");
        CliResult refused = cli("release", HOSTILE);
        refused.assertOneLineError(SHOWN);
        assertThat(refused.err()).doesNotContain("\u001b", "\u202E");
    }

    @Test
    void seesOnlyLocksUnderItsPrefix() throws Exception {
        leasehold.lock("order-17").acquire();
        assertThat(cli("ls", "--prefix", "other").out()).isEqualTo("No lock is held.\n");
        assertThat(cli("show", "--prefix", "other", "order-17").out()).contains("not held");
    }

    @Test
    void releasesOnlyByForceAndOnlyAfterConfirmation() throws Exception {
        Lease lease = leasehold.lock("order-17").acquire();
        CliResult plain = cli("release", "order-17");
        assertThat(plain.exitCode()).isEqualTo(64);
        plain.assertOneLineError("order-17", "--force");
        CliResult unconfirmed = cli("release", "order-17", "--force");
        assertThat(unconfirmed.exitCode()).isEqualTo(64);
        unconfirmed.assertOneLineError("--yes");
        assertThat(lease.isHeld()).isTrue();

        CliResult other = cli("release", "order-17", "--force", "--yes", "--token", "1");
        assertThat(other.exitCode()).isEqualTo(1);
        assertThat(other.out()).contains("its holder has changed");
        CliResult forced = cli("release", "order-17", "--force", "--yes");
        assertThat(forced.exitCode()).isZero();
        assertThat(forced.out())
                .startsWith("order-17: released; it was held by process "
                        + ProcessHandle.current().pid());
        Lease next = leasehold.lock("order-17").tryAcquire().orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void asksTheHolderToRelease() throws Exception {
        CompletableFuture<String> asked = new CompletableFuture<>();
        Lease lease = leasehold
                .lock("order-17")
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(3)).build())
                .acquire();
        lease.onReleaseRequested(request -> asked.complete(request.lockName()));
        CliResult ask = cli("release", "order-17", "--ask");
        assertThat(ask.exitCode()).isZero();
        assertThat(ask.out())
                .isEqualTo("order-17: its holder is asked to release it, and learns of it at its next renewal.\n");
        assertThat(asked.get(60, TimeUnit.SECONDS)).isEqualTo("order-17");
        assertThat(lease.isHeld()).isTrue();
        assertThat(json(cli("release", "order-17", "--ask", "--json"))
                        .get("asked")
                        .asBoolean())
                .isTrue();
        lease.release();
        CliResult nobody = cli("release", "order-17", "--ask");
        assertThat(nobody.exitCode()).isZero();
        assertThat(nobody.out()).isEqualTo("order-17: not held, nobody to ask.\n");
        CliResult both = cli("release", "order-17", "--ask", "--force");
        assertThat(both.exitCode()).isEqualTo(64);
        both.assertOneLineError("--ask", "--force");
    }

    @Test
    void releasesAsJson() throws Exception {
        Lease lease = leasehold.lock("order-17").acquire();
        JsonNode done = json(cli("release", "order-17", "--force", "--yes", "--json"));
        assertThat(done.get("released").asBoolean()).isTrue();
        assertThat(done.get("holder").get("token").asLong()).isEqualTo(lease.fencingToken());
        CliResult again = cli("release", "order-17", "--force", "--yes", "--json");
        assertThat(again.exitCode()).isZero();
        assertThat(json(again).get("released").asBoolean()).isFalse();
        assertThat(json(again).get("holder").isNull()).isTrue();
    }

    @Test
    void diagnosesASoundServer() {
        CliResult doctor = cli("doctor");
        assertThat(doctor.exitCode()).isZero();
        assertThat(doctor.out())
                .startsWith("redis://127.0.0.1:" + REDIS.server().port() + "\n")
                .contains("fine     maxmemory-policy: ");
        JsonNode json = json(cli("doctor", "--json"));
        assertThat(json.get("dangerous").asBoolean()).isFalse();
        assertThat(json.get("findings"))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.get("level").asText()).isIn("FINE", "WARNING"));
    }

    @Test
    void findsDangers() {
        REDIS.server().command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb");
        try {
            CliResult doctor = cli("doctor");
            assertThat(doctor.exitCode()).isEqualTo(1);
            assertThat(doctor.out()).contains("DANGER   maxmemory-policy: ", "-> ", "Locks may be lost here.");
            CliResult asJson = cli("doctor", "--json");
            assertThat(asJson.exitCode()).isEqualTo(1);
            assertThat(json(asJson).get("dangerous").asBoolean()).isTrue();
        } finally {
            REDIS.server().command("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "0");
        }
    }

    @Test
    void refusesAForeignKey() {
        REDIS.server().command("RPUSH", "leasehold:{job}", "of another tool");
        CliResult show = cli("show", "job");
        assertThat(show.exitCode()).isEqualTo(65);
        show.assertOneLineError("job", "list");
        assertThat(cli("release", "job", "--force", "--yes").exitCode()).isEqualTo(65);
        assertThat(REDIS.server().command("LLEN", "leasehold:{job}")).isEqualTo(1L);
    }

    /** Runs the command line in a process of its own. */
    private static CliProcess process(String command, String... args) {
        return CliProcess.run(words(command, args));
    }

    private static CliResult cli(String command, String... args) {
        return CliResult.of(words(command, args));
    }

    private static String[] words(String command, String... args) {
        return Stream.concat(Stream.of(command, "--redis", REDIS.uri()), Arrays.stream(args))
                .toArray(String[]::new);
    }

    private static JsonNode json(CliResult cli) {
        try {
            return new ObjectMapper().readTree(cli.out());
        } catch (java.io.IOException e) {
            throw new IllegalArgumentException(cli.out() + cli.err(), e);
        }
    }
}
