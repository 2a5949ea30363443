package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.giveUp;
import static dev.leasehold.tck.TransportCalls.subscribed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The behaviour of a transport when a node of a cluster fails. */
class ClusterTransportFailureContract extends ClusterTransportBase {

    @Test
    void aFrozenNodeDelaysNoOtherNode() {
        EmbeddedRedis dead = cluster.nodes().get(1);
        cluster.nodes().forEach(node -> answer(transport.eval(count(keyOn(node)))));
        List<ScriptCall> calls =
                cluster.nodes().stream().map(node -> count(keyOn(node))).toList();
        dead.pause();
        for (int round = 0; round < 20; round++) {
            List<CompletionStage<List<String>>> batch = transport.evalBatch(calls);
            answer(batch.get(0));
            answer(batch.get(2));
            answer(transport.eval(calls.get(0)));
            answer(transport.eval(calls.get(2)));
            assertThat(batch.get(1).toCompletableFuture()).isNotDone();
            // Puts the connections in doubt, so that from now on the node is being connected to.
            batch.get(1).toCompletableFuture().cancel(false);
            giveUp(transport, count(keyOn(dead), Duration.ofMillis(20)));
        }
        dead.resume();
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> answer(transport.eval(count(keyOn(dead)))).size() == 1);
    }

    @Test
    void aNodeThatIsEndedAndComesBackIsUsedAgain() {
        EmbeddedRedis node = cluster.nodes().get(2);
        String key = keyOn(node);
        String other = keyOn(cluster.nodes().get(0));
        answer(transport.eval(count(key)));
        node.kill();
        failure(transport.eval(count(key)), RuntimeException.class);
        answer(transport.eval(count(other)));
        node.restart();
        cluster.awaitHealthy();
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> answer(transport.eval(count(key))).size() == 1);
    }

    @Test
    void aSubscriptionHearsWhatIsPublishedAnywhereAndMovesWhenItsServerDies() {
        Queue<String> heard = subscribed(transport, "c");
        for (EmbeddedRedis node : cluster.nodes()) {
            node.command("PUBLISH", "c", "from " + node.port());
        }
        await().atMost(LIMIT).until(() -> heard.size() == 3);
        EmbeddedRedis home = cluster.nodes().stream()
                .filter(node -> List.of("c").equals(node.command("PUBSUB", "CHANNELS", "c")))
                .findFirst()
                .orElseThrow();
        home.pause();
        String key = keyOn(home);
        EmbeddedRedis other = otherThan(home);
        await().atMost(LIMIT).until(() -> {
            // A caller that stops waiting for the silent server shows that it is silent.
            giveUp(transport, count(key, Duration.ofMillis(20)));
            other.command("PUBLISH", "c", "again");
            return heard.contains("again");
        });
    }
}
