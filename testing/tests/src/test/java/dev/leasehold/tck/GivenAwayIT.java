package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each right gives away, as {@code SECURITY.md} says, shown by a user that has this right and no other. */
@WithRedis
@WithRedisCluster
class GivenAwayIT {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| (.+) \\|$");
    private static final String LOCK = "leasehold:{order}";
    private static final String OTHER = "somebody:else";
    private static final Pattern REFUSED = Pattern.compile("-NOPERM.*", Pattern.DOTALL);

    private final EmbeddedRedis redis;
    private final EmbeddedCluster cluster;
    private final Map<String, Proof> proofs = new LinkedHashMap<>();

    /** Does with a connection of such a user what the row says, and not more. */
    private interface Proof {
        void show(RawConnection user) throws Exception;
    }

    GivenAwayIT(EmbeddedRedis redis, EmbeddedCluster cluster) {
        this.redis = redis;
        this.cluster = cluster;
        proofs.put("~leasehold:{*} +hset +hdel +hincrby +pexpireat", this::writes);
        proofs.put("~leasehold:{*} +hget +hmget +hgetall +hlen +hscan", this::reads);
        proofs.put("~leasehold:{*} +exists +type", this::asks);
        proofs.put("+eval +evalsha", this::keepsTheServerBusy);
        proofs.put("+time", user -> assertThat(user.ask("TIME")).startsWith("*2"));
        proofs.put(
                "+info",
                user -> assertThat(user.ask("INFO")).contains("redis_version:", "db0:keys=2", "connected_slaves:"));
        proofs.put("+scan", this::lists);
        proofs.put("+publish &leasehold:w:*", this::publishes);
        proofs.put("+subscribe &leasehold:w:*", this::listens);
        proofs.put("+client|tracking", this::hearsOfChanges);
        proofs.put(
                "+client|caching",
                user -> assertThat(user.ask("CLIENT", "CACHING", "YES")).startsWith("-ERR"));
        proofs.put(
                "+unsubscribe", user -> assertThat(user.ask("UNSUBSCRIBE", "x")).contains(":0\r\n"));
        proofs.put("+wait", user -> assertThat(user.ask("WAIT", "1", "1")).isEqualTo(":0\r\n"));
        proofs.put("+select +scan", this::listsOtherDatabases);
        proofs.put("+client|setname", user -> {
            assertThat(user.ask("CLIENT", "SETNAME", "another")).isEqualTo("+OK\r\n");
            assertThat(String.valueOf(redis.command("CLIENT", "LIST"))).contains("name=another");
        });
        proofs.put("~import:* +get +set +del +pttl +pexpire", this::ownsStrings);
        proofs.put("~import:* +hkeys +hset +del +incr", this::ownsHashes);
        proofs.put("+cluster|slots", this::learnsTheNodes);
    }

    private static Stream<MatchResult> rows() {
        try {
            return ROW.matcher(Files.readString(Path.of("../../SECURITY.md"))).results();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> rights() {
        return rows().map(row -> row.group(1).replace("\\|", "|")).toList();
    }

    @Test
    void everyRowIsShownAndEveryRightOfTheExamplesHasARow() {
        assertThat(rights()).containsExactlyInAnyOrderElementsOf(proofs.keySet());
        List<String> shown =
                rights().stream().flatMap(row -> Stream.of(row.split(" "))).toList();
        assertThat(DocumentedRights.of("app", "wake-ups", "tracking", "list", "replicas", "plain"))
                .filteredOn(word -> word.startsWith("+"))
                .isSubsetOf(shown);
    }

    @BeforeEach
    void prepare() {
        redis.command("SET", OTHER, "secret");
        redis.command("HSET", LOCK, "own", "the id", "i:the id", "1@host thread");
    }

    @ParameterizedTest
    @MethodSource("rights")
    void aRightGivesAway(String rights) throws Exception {
        List<String> rules = new ArrayList<>(List.of("on", "resetkeys", "resetchannels", "-@all"));
        rules.addAll(List.of(rights.split(" ")));
        boolean ofCluster = rights.contains("cluster");
        EmbeddedRedis server = ofCluster ? cluster.nodes().get(0) : redis;
        DocumentedRights.grant(server, rules);
        Proof proof = proofs.get(rights);
        assertThat(proof).as("a proof of '%s'", rights).isNotNull();
        try (RawConnection user = as(server)) {
            proof.show(user);
            for (List<String> forbidden : List.of(List.of("GET", OTHER), List.of("DEL", OTHER), List.of("FLUSHALL"))) {
                assertThat(user.ask(forbidden.toArray(String[]::new))).matches(REFUSED);
            }
        }
    }

    private static RawConnection as(EmbeddedRedis server) throws IOException {
        RawConnection user = new RawConnection(server.port());
        String[] userAndPassword = DocumentedRights.uri("redis://x").split("[/:@]+");
        assertThat(user.ask("HELLO", "3", "AUTH", userAndPassword[1], userAndPassword[2]))
                .startsWith("%");
        return user;
    }

    private RawConnection anybody() throws IOException {
        RawConnection anybody = new RawConnection(redis.port());
        assertThat(anybody.ask("AUTH", redis.password())).isEqualTo("+OK\r\n");
        return anybody;
    }

    private void writes(RawConnection user) throws IOException {
        assertThat(user.ask("HSET", LOCK, "own", "another id")).isEqualTo(":0\r\n");
        assertThat(user.ask("HSET", "leasehold:{new}", "f", "x".repeat(1_000_000)))
                .isEqualTo(":1\r\n");
        assertThat(user.ask("HGETALL", LOCK)).matches(REFUSED);
    }

    private void reads(RawConnection user) throws IOException {
        assertThat(user.ask("HGETALL", LOCK)).contains("the id", "1@host thread");
        assertThat(user.ask("HSET", LOCK, "own", "another id")).matches(REFUSED);
    }

    private void asks(RawConnection user) throws IOException {
        assertThat(user.ask("EXISTS", LOCK)).isEqualTo(":1\r\n");
        assertThat(user.ask("TYPE", LOCK)).isEqualTo("+hash\r\n");
        assertThat(user.ask("EXISTS", OTHER)).matches(REFUSED);
    }

    private void keepsTheServerBusy(RawConnection user) throws Exception {
        redis.command("CONFIG", "SET", "lua-time-limit", "10");
        user.send("EVAL", "while true do end", "0");
        await().untilAsserted(() -> {
            try (RawConnection anybody = anybody()) {
                assertThat(anybody.ask("PING")).startsWith("-BUSY");
            }
        });
        await().until(() -> String.valueOf(kill()).equals("OK"));
        assertThat(user.reply()).contains("killed by user");
    }

    private Object kill() {
        return redis.command("SCRIPT", "KILL");
    }

    private void lists(RawConnection user) throws IOException {
        assertThat(user.ask("SCAN", "0", "COUNT", "1000")).contains(LOCK, OTHER);
    }

    private void listsOtherDatabases(RawConnection user) throws IOException {
        assertThat(user.ask("SELECT", "1")).isEqualTo("+OK\r\n");
        assertThat(user.ask("SCAN", "0", "COUNT", "1000")).doesNotContain(OTHER);
        assertThat(user.ask("SELECT", "0")).isEqualTo("+OK\r\n");
        lists(user);
    }

    private void publishes(RawConnection user) throws IOException {
        try (RawConnection waiter = anybody()) {
            assertThat(waiter.ask("SUBSCRIBE", "leasehold:w:waiter")).contains("subscribe");
            assertThat(user.ask("PUBLISH", "leasehold:w:waiter", "1 " + LOCK)).isEqualTo(":1\r\n");
            assertThat(waiter.reply()).contains("1 " + LOCK);
        }
        assertThat(user.ask("PUBLISH", "another:channel", "x")).matches(REFUSED);
    }

    private void listens(RawConnection user) throws Exception {
        assertThat(user.ask("SUBSCRIBE", "leasehold:w:somebody")).contains("subscribe");
        redis.command("PUBLISH", "leasehold:w:somebody", "1 " + LOCK);
        assertThat(user.reply()).contains("1 " + LOCK);
        assertThat(user.ask("SUBSCRIBE", "another:channel")).matches(REFUSED);
    }

    private void hearsOfChanges(RawConnection user) throws IOException {
        assertThat(user.ask("CLIENT", "TRACKING", "ON", "BCAST")).isEqualTo("+OK\r\n");
        redis.command("SET", OTHER, "changed");
        assertThat(user.reply()).contains("invalidate", OTHER);
    }

    private void ownsStrings(RawConnection user) throws IOException {
        redis.command("SET", "import:no lock", "of others");
        assertThat(user.ask("GET", "import:no lock")).contains("of others");
        assertThat(user.ask("SET", "import:no lock", "changed")).isEqualTo("+OK\r\n");
        assertThat(user.ask("DEL", "import:no lock")).isEqualTo(":1\r\n");
    }

    private void ownsHashes(RawConnection user) throws IOException {
        redis.command("HSET", "import:no lock", "field of others", "1");
        redis.command("SET", "import:number", "7");
        assertThat(user.ask("HKEYS", "import:no lock")).contains("field of others");
        assertThat(user.ask("HSET", "import:no lock", "f", "1")).isEqualTo(":1\r\n");
        assertThat(user.ask("INCR", "import:number")).isEqualTo(":8\r\n");
        assertThat(user.ask("DEL", "import:no lock")).isEqualTo(":1\r\n");
    }

    private void learnsTheNodes(RawConnection user) throws IOException {
        assertThat(user.ask("CLUSTER", "SLOTS"))
                .contains(
                        cluster.nodes().stream().map(node -> ":" + node.port()).toArray(String[]::new));
    }
}
