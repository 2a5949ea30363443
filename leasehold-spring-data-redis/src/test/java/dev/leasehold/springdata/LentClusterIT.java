package dev.leasehold.springdata;

import static dev.leasehold.springdata.Calls.LIMIT;
import static dev.leasehold.springdata.Calls.answer;
import static dev.leasehold.springdata.Calls.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Over a factory of Lettuce for a cluster of three primaries. */
class LentClusterIT {

    private static EmbeddedCluster cluster;
    private static LettuceConnectionFactory factory;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.builder().primaries(3).start();
        // One node is enough to find the others.
        factory = LentFactories.cluster(List.of(cluster.nodes().get(0).port()), resources -> resources);
    }

    @AfterAll
    static void end() {
        factory.destroy();
        cluster.close();
    }

    private static Leasehold client() {
        return Leasehold.builder()
                .transport(SpringDataTransport.over(factory))
                .preflight(Preflight.OFF)
                .build();
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    private static String nameOn(EmbeddedRedis node) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "name-" + i)
                .filter(name -> cluster.nodeOf(key(name)) == node)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aLockIsKeptByTheNodeThatHasItsKeyAndAWaiterIsWokenWhereverItListens() {
        try (Leasehold holder = client();
                Leasehold waiter = client()) {
            for (EmbeddedRedis node : cluster.nodes()) {
                String name = nameOn(node);
                Lease held = holder.lock(name).tryAcquire().orElseThrow();
                assertThat(node.command("EXISTS", key(name))).isEqualTo(1L);
                CompletionStage<Lease> next = waiter.lock(name).acquireAsync();
                await().atMost(LIMIT).until(() -> "1".equals(node.command("HGET", key(name), "wn")));
                held.release();
                answer(next).release();
            }
            assertThat(holder.inspector().locks()).isEmpty();
        }
    }

    @Test
    void aWakeUpIsHeardThatIsPublishedOnAnyNode() {
        try (SpringDataTransport transport = SpringDataTransport.over(factory)) {
            List<String> heard = new CopyOnWriteArrayList<>();
            answer(transport.subscribe("leasehold:w:any", heard::add));
            cluster.nodes().forEach(node -> node.command("PUBLISH", "leasehold:w:any", "from " + node.port()));
            await().atMost(LIMIT).until(() -> heard.size() == 3);
        }
    }

    @Test
    void itsNodesAreDescribedAndAskedOneByOneAndNothingIsClaimedThatAClusterDoesNotKeep() {
        try (SpringDataTransport transport = SpringDataTransport.over(factory)) {
            ServerDescription description = answer(transport.describe());
            assertThat(description.capabilities()).isEmpty();
            assertThat(description.nodes())
                    .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                            .map(node -> new RedisNode(node.host(), node.port(), true))
                            .toList());
            for (EmbeddedRedis node : cluster.nodes()) {
                assertThat(answer(transport.command(
                                new RedisNode(node.host(), node.port(), true), List.of("CONFIG", "GET", "port"))))
                        .isEqualTo(List.of("port", String.valueOf(node.port())));
            }
        }
    }

    @Test
    void aBatchGoesToAllNodesAndIsAnsweredInItsOrder() {
        try (SpringDataTransport transport = SpringDataTransport.over(factory)) {
            List<String> keys = cluster.nodes().stream()
                    .map(node -> "{" + nameOn(node) + "}batch")
                    .toList();
            var calls = keys.stream().map(Calls::count).toList();
            transport
                    .evalBatch(calls)
                    .forEach(stage -> assertThat(answer(stage)).containsExactly("1"));
            transport
                    .evalBatch(calls)
                    .forEach(stage -> assertThat(answer(stage)).containsExactly("2"));
        }
    }

    @Test
    void aCallFollowsItsSlot() {
        String name = nameOn(cluster.nodes().get(1));
        int slot = cluster.slotOf(key(name));
        try (SpringDataTransport transport = SpringDataTransport.over(factory)) {
            assertThat(answer(transport.eval(count(key(name))))).containsExactly("1");
            cluster.migrate(slot, cluster.nodes().get(2));
            assertThat(answer(transport.eval(count(key(name))))).containsExactly("2");
            transport
                    .evalBatch(List.of(count(key(name))))
                    .forEach(stage -> assertThat(answer(stage)).containsExactly("3"));
            cluster.nodes().get(2).command("DEL", key(name));
            cluster.migrate(slot, cluster.nodes().get(1));
        }
    }

    @Test
    void aNodeThatIsNotOfTheClusterIsRefused() {
        try (SpringDataTransport transport = SpringDataTransport.over(factory)) {
            assertThatThrownBy(() -> answer(transport.command(new RedisNode("127.0.0.1", 1, true), List.of("PING"))))
                    .hasStackTraceContaining("127.0.0.1:1");
        }
    }
}
