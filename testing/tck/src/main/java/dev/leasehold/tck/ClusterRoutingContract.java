package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of transports on a cluster of three primaries: where calls and commands go. */
class ClusterRoutingContract extends ClusterTransportBase {

    private static long calls(EmbeddedRedis node) {
        return node.commandCounts().getOrDefault("evalsha", 0L)
                + node.commandCounts().getOrDefault("eval", 0L);
    }

    @Test
    void sendsEachCallStraightToTheNodeOfItsKey() {
        cluster.nodes().forEach(EmbeddedRedis::resetStats);
        for (EmbeddedRedis node : cluster.nodes()) {
            assertThat(answer(transport.eval(count(keyOn(node))))).containsExactly("1");
            assertThat(node.command("GET", keyOn(node))).isEqualTo("1");
        }
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.info("errorstats")).doesNotContainKey("errorstat_MOVED"));
    }

    @Test
    void sendsABatchToAllNodesAndAnswersInItsOrder() {
        List<ScriptCall> calls = IntStream.range(0, 6)
                .mapToObj(i -> count(keyOn(cluster.nodes().get(i % 3))))
                .toList();
        assertThat(transport.evalBatch(calls).stream().map(TransportCalls::answer))
                .containsExactly(List.of("1"), List.of("1"), List.of("1"), List.of("2"), List.of("2"), List.of("2"));
    }

    private static boolean knows(EmbeddedRedis server, String command) {
        return server.command("COMMAND", "INFO", command) instanceof List<?> known && known.get(0) != null;
    }

    @Test
    void describesAllNodesAndCommandsEachOfThem() {
        ServerDescription description = answer(transport.describe());
        EmbeddedRedis first = cluster.nodes().get(0);
        assertThat(description.version()).isEqualTo(TransportCalls.version(first.info("server")));
        assertThat(description.capabilities())
                .as("what connections of any kind can do")
                .contains(Capability.AT_MOST_ONCE, Capability.WAITS_FOR_REPLICAS)
                .doesNotContain(Capability.CALLS_ACROSS_SLOTS, Capability.COUNTS_RECEIVERS);
        assertThat(description.capabilities().contains(Capability.SHARDED_PUBSUB))
                .isEqualTo(knows(first, "SPUBLISH"));
        assertThat(description.capabilities().contains(Capability.WAITS_FOR_DISKS))
                .isEqualTo(knows(first, "WAITAOF"));
        assertThat(description.nodes())
                .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                        .map(node -> new RedisNode(node.host(), node.port(), true))
                        .toList());
        for (RedisNode node : description.nodes()) {
            assertThat(String.valueOf(answer(transport.command(node, List.of("INFO", "server")))))
                    .contains("tcp_port:" + node.port());
        }
        assertThat(answer(transport.command(null, List.of("PING")))).isEqualTo("PONG");
        for (EmbeddedRedis node : cluster.nodes()) {
            assertThat(answer(transport.command(null, List.of("SET", keyOn(node), "value"))))
                    .isEqualTo("OK");
        }
        failure(
                transport.command(new RedisNode("127.0.0.1", 1, true), List.of("PING")),
                IllegalArgumentException.class);
    }

    @Test
    void followsASlotThatMovesAndThenGoesThereDirectly() {
        EmbeddedRedis from = cluster.nodeOf("moving");
        EmbeddedRedis to = otherThan(from);
        int slot = cluster.slotOf("moving");
        cluster.beginMigration(slot, to);
        // Not there yet, so asked for at the target; the script is unknown there and must be sent behind ASKING as
        // well.
        to.command("SCRIPT", "FLUSH");
        assertThat(answer(transport.eval(count("moving")))).containsExactly("1");
        assertThat(transport.evalBatch(List.of(count("moving"), count("moving"))).stream()
                        .map(TransportCalls::answer))
                .containsExactlyInAnyOrder(List.of("2"), List.of("3"));
        cluster.moveKeys(slot);
        cluster.finishMigration(slot);
        assertThat(answer(transport.eval(count("moving")))).containsExactly("4");
        from.resetStats();
        assertThat(answer(transport.eval(count("moving")))).containsExactly("5");
        assertThat(calls(from)).isZero();
        cluster.migrate(slot, from);
        assertThat(answer(transport.eval(count("moving")))).containsExactly("6");
    }
}
