package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.CLIENT_NAME;
import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.assertNotExecuted;
import static dev.leasehold.tck.TransportCalls.call;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static dev.leasehold.tck.TransportCalls.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The answers of a transport while the network and the server are healthy; on a cluster of one server, too.
 * {@link LoneServerTransportContract} has the tests that need a standalone server.
 */
@On({Topology.STANDALONE, Topology.SENTINEL, Topology.CLUSTER})
class TransportContract extends TransportBase {

    private @Nullable RedisTransport opened;

    @BeforeEach
    void openTransport() {
        opened = open(settings(server().uri()));
    }

    @AfterEach
    void closeTransport() {
        transport().close();
    }

    private RedisTransport transport() {
        if (opened == null) {
            throw new IllegalStateException("not open");
        }
        return opened;
    }

    private EmbeddedRedis redis() {
        return server();
    }

    private List<String> eval(String body, String... args) {
        return answer(transport().eval(call(body, List.of("{k}a", "{k}b"), args)));
    }

    @Test
    void evalReturnsWhatTheScriptReturned() {
        assertThat(eval("return {KEYS[2], ARGV[1], KEYS[1], ARGV[2], #KEYS, #ARGV}", "1", "2"))
                .containsExactly("{k}b", "1", "{k}a", "2", "2", "2");
        assertThat(eval("return {}")).isEmpty();
        assertThat(eval("return 'one'")).containsExactly("one");
        assertThat(eval("return redis.status_reply('FINE')")).containsExactly("FINE");
    }

    @Test
    void numbersAndTextReturnIntact() {
        assertThat(eval("return {-1, 9007199254740991}")).containsExactly("-1", "9007199254740991");
        String[] texts = {"9007199254740993", "", "gr\u00fc\u00df \u9396 \uD83D\uDD12", "line\r\nbreak", "nul\0", " "};
        assertThat(eval("return ARGV", texts)).containsExactly(texts);
        String large = "x".repeat(100_000);
        assertThat(eval("return {ARGV[1], 'end'}", large)).containsExactly(large, "end");
    }

    @Test
    void anErrorReplyFailsTheStageWithItsCode() {
        redis().command("SET", "a", "no hash");
        CompletionStage<?> stage = transport().eval(call("return redis.pcall('HGET', KEYS[1], 'f')", List.of("a")));
        assertThat(failure(stage, RedisErrorException.class).code()).isEqualTo("WRONGTYPE");

        stage = transport().eval(call("return redis.error_reply('MINE says so')", List.of("a")));
        RedisErrorException own = failure(stage, RedisErrorException.class);
        assertThat(own.code()).isEqualTo("MINE");
        assertThat(own).hasMessageStartingWith("MINE says so");
    }

    /** Returns the commands that the servers of a topology send one another at any time. */
    private Set<String> sentByServers() {
        return topology() == Topology.SENTINEL
                ? Set.of("auth", "client|setname", "info", "ping", "publish", "replconf", "subscribe")
                : Set.of();
    }

    @Test
    void aScriptThatTheServerDoesNotKnowIsSentWhole() {
        redis().command("SCRIPT", "FLUSH");
        assertThat(answer(transport().eval(count("a")))).containsExactly("1");
        redis().command("SCRIPT", "FLUSH");
        assertThat(answer(transport().eval(count("a")))).containsExactly("2");
    }

    @Test
    void aScriptThatTheServerKnowsIsCalledByItsDigestAndNothingElseIsSent() {
        answer(transport().eval(count("a")));
        redis().resetStats();
        answer(transport().eval(count("a")));
        Map<String, Long> counts = new HashMap<>(redis().commandCounts());
        counts.keySet().removeAll(sentByServers());
        assertThat(counts).containsOnlyKeys("evalsha", "incr").containsEntry("evalsha", 1L);
    }

    @Test
    void aBatchIsAnsweredInTheOrderOfItsCalls() {
        assertThat(transport().evalBatch(List.of())).isEmpty();
        var stages = transport().evalBatch(List.of(count("a"), count("b"), count("a")));
        assertThat(stages.stream().map(TransportCalls::answer))
                .containsExactly(List.of("1"), List.of("1"), List.of("2"));
    }

    @Test
    void aBatchIsJudgedEntryByEntry() {
        redis().command("SET", "text", "not a number");
        answer(transport().eval(count("a")));
        String fresh = "return {'fresh', redis.call('INCR', KEYS[1])}";
        var stages = transport().evalBatch(List.of(count("a"), count("text"), call(fresh, List.of("a")), count("a")));
        assertThat(answer(stages.get(0))).containsExactly("2");
        assertThat(failure(stages.get(1), RedisErrorException.class)).hasMessageContaining("not an integer");
        // Unknown to the server, so it is answered a moment later: after the last.
        assertThat(answer(stages.get(3))).containsExactly("3");
        assertThat(answer(stages.get(2))).containsExactly("fresh", "4");
    }

    @Test
    void everyEntryOfABatchSurvivesTheLossOfAllScripts() {
        answer(transport().eval(count("a")));
        redis().command("SCRIPT", "FLUSH");
        var stages = transport().evalBatch(List.of(count("a"), count("b"), count("c")));
        assertThat(stages.stream().map(TransportCalls::answer))
                .containsExactly(List.of("2"), List.of("1"), List.of("1"));
    }

    @Test
    void commandAnswersWithNestedReplies() {
        assertThat(command("SET", "k", "\u9396")).isEqualTo("OK");
        assertThat(command("get", "k")).isEqualTo("\u9396");
        assertThat(command("GET", "missing")).isNull();
        assertThat(command("INCR", "n")).isEqualTo(1L);
        assertThat(command("HSET", "h", "f", "v")).isEqualTo(1L);
        assertThat(command("HGETALL", "h")).isEqualTo(List.of("f", "v"));
        assertThat(command("KEYS", "none*")).isEqualTo(List.of());
        assertThat(command("EVAL", "return {1, {'a', {2, false}, {}}, {{'b'}}}", "0"))
                .isEqualTo(List.of(1L, List.of("a", Arrays.asList(2L, null), List.of()), List.of(List.of("b"))));
        CompletionStage<?> wrong = transport().command(null, List.of("HGET", "k", "f"));
        assertThat(failure(wrong, RedisErrorException.class).code()).isEqualTo("WRONGTYPE");
    }

    private @Nullable Object command(String... words) {
        return answer(transport().command(null, List.of(words)));
    }

    @Test
    void describeNamesTheServerItsVersionAndItsRole() {
        ServerDescription primary = answer(transport().describe());
        assertThat(primary.version()).isEqualTo(version(redis().info("server")));
        assertThat(primary.nodes()).containsExactly(new RedisNode(redis().host(), redis().port(), true));
        RedisNode node = primary.nodes().get(0);
        assertThat(answer(transport().command(node, List.of("PING")))).isEqualTo("PONG");
    }

    @Test
    void connectionsBearTheNameOfTheClient() {
        answer(transport().eval(count("a")));
        assertThat(String.valueOf(redis().command("CLIENT", "LIST"))).contains("name=" + CLIENT_NAME);
    }

    @Test
    void aSubscriberGetsTheMessagesOfItsChannelUntilItEndsItsSubscription() throws Exception {
        Queue<String> first = new ConcurrentLinkedQueue<>();
        Queue<String> second = new ConcurrentLinkedQueue<>();
        AutoCloseable one = answer(transport().subscribe("c\u00e9", first::add));
        AutoCloseable two = answer(transport().subscribe("c\u00e9", second::add));
        redis().command("PUBLISH", "c\u00e9", "\u9396");
        redis().command("PUBLISH", "other", "not for us");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(second).containsExactly("\u9396"));
        one.close();
        one.close();
        redis().command("PUBLISH", "c\u00e9", "2");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(second).containsExactly("\u9396", "2"));
        assertThat(first).containsExactly("\u9396");
        two.close();
        await().atMost(LIMIT).until(() -> subscribers("c\u00e9") == 0);
        answer(transport().subscribe("c\u00e9", first::add));
        assertThat(redis().command("PUBLISH", "c\u00e9", "3")).isEqualTo(1L);
    }

    @Test
    void aListenerThatThrowsSilencesNoOther() {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        answer(transport().subscribe("c", message -> {
            throw new IllegalStateException("thrown on purpose");
        }));
        answer(transport().subscribe("c", received::add));
        redis().command("PUBLISH", "c", "1");
        redis().command("PUBLISH", "c", "2");
        await().atMost(LIMIT).untilAsserted(() -> assertThat(received).containsExactly("1", "2"));
    }

    private long subscribers(String channel) {
        return redis().command("PUBSUB", "NUMSUB", channel) instanceof List<?> reply ? (Long) reply.get(1) : -1;
    }

    @Test
    void afterCloseNoConnectionIsLeftAndEveryCallFailsAsNotExecuted() {
        answer(transport().subscribe("c", message -> {}));
        transport().close();
        transport().close();
        await().atMost(LIMIT)
                .until(() -> !String.valueOf(redis().command("CLIENT", "LIST")).contains(CLIENT_NAME));
        assertNotExecuted(transport().eval(count("a")));
        transport().evalBatch(List.of(count("a"), count("a"))).forEach(TransportCalls::assertNotExecuted);
        assertNotExecuted(transport().describe());
        assertNotExecuted(transport().command(null, List.of("PING")));
        assertNotExecuted(transport().subscribe("d", message -> {}));
        assertThat(redis().command("GET", "a")).isNull();
    }
}
