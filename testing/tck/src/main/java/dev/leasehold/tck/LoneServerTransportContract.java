package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.call;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisTransport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answers of a transport that only a standalone server gives, not a node of a cluster. */
@On(Topology.STANDALONE)
class LoneServerTransportContract extends TransportBase {

    @Test
    void describeReportsThatTheServerBecameAReplica() {
        try (RedisTransport transport = open(settings(server().uri()))) {
            assertThat(answer(transport.describe()).nodes().get(0).primary()).isTrue();
            server().command("REPLICAOF", "127.0.0.1", "1");
            assertThat(answer(transport.describe()).nodes().get(0).primary()).isFalse();
        } finally {
            server().command("REPLICAOF", "NO", "ONE");
        }
    }

    @Test
    void connectionsUseTheDatabaseOfTheUri() {
        try (RedisTransport third = open(settings(server().uri() + "/3"))) {
            answer(third.eval(count("a")));
            assertThat(server().info("keyspace")).containsOnlyKeys("db3");
        }
    }

    @Test
    void aScriptMayHaveKeysOfAnySlots() {
        try (RedisTransport transport = open(settings(server().uri()))) {
            assertThat(answer(transport.eval(call("return KEYS", List.of("a", "b")))))
                    .containsExactly("a", "b");
        }
    }
}
