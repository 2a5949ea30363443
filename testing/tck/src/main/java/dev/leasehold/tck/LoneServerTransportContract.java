package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.CLIENT_NAME;
import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.call;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
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
    void aServerThatRefusesWritesIsLeftEvenWithoutANotification() {
        // Redis 6.2 frames the error of a command in a script.
        String increments =
                "local answer = redis.pcall('INCR', KEYS[1]) if type(answer) == 'number' then return {answer} end "
                        + "return redis.error_reply(string.match(answer.err, 'READONLY.*'))";
        ScriptCall write = call(increments, List.of("a"));
        try (RedisTransport transport = open(settings(server().uri()))) {
            answer(transport.eval(write));
            Set<String> before = connections();
            server().command("REPLICAOF", "127.0.0.1", "1");
            assertThat(failure(transport.eval(write), RedisErrorException.class).code())
                    .isEqualTo("READONLY");
            server().command("REPLICAOF", "NO", "ONE");
            assertThat(answer(transport.eval(write))).containsExactly("2");
            await().atMost(LIMIT).until(() -> Collections.disjoint(connections(), before));
        } finally {
            server().command("REPLICAOF", "NO", "ONE");
        }
    }

    @Test
    void whatPeopleAskHasAConnectionOfItsOwnWhereCallersShareOne() {
        try (RedisTransport transport = open(settings(server().uri()))) {
            boolean shared = answer(transport.describe()).capabilities().contains(Capability.SHARES_CONNECTIONS);
            answer(transport.eval(count("a")));
            answer(transport.evalBatch(List.of(count("a"))).get(0));
            int before = connections().size();
            assertThat(answer(transport.inspect(count("a")))).containsExactly("3");
            answer(transport.command(null, List.of("SCAN", "0")));
            answer(transport.inspect(count("a")));
            assertThat(connections()).hasSize(shared ? before + 1 : before);
        }
    }

    /** Returns the ids that the server gave the connections of the transport. */
    private Set<String> connections() {
        return String.valueOf(server().command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("name=" + CLIENT_NAME))
                .map(line -> line.split(" ", 2)[0])
                .collect(Collectors.toSet());
    }

    @Test
    void anotherServerIsNotAsked() {
        try (RedisTransport transport = open(settings(server().uri()))) {
            failure(
                    transport.command(new RedisNode("127.0.0.1", 1, true), List.of("PING")),
                    IllegalArgumentException.class);
        }
    }

    @Test
    void aForbiddenSubscriptionFailsWithItsCodeAndLeavesTheOthers() {
        server().command("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "+@all", "resetchannels", "&allowed");
        try (RedisTransport deaf = open(settings(server().uri("deaf", "pw")))) {
            assertForbidden(deaf);
            answer(deaf.subscribe("allowed", message -> {}));
            assertForbidden(deaf);
            await().atMost(LIMIT).until(() -> Long.valueOf(1).equals(server().command("PUBLISH", "allowed", "heard")));
        }
    }

    private static void assertForbidden(RedisTransport deaf) {
        CompletionStage<?> forbidden = deaf.subscribe("forbidden", message -> {});
        assertThat(failure(forbidden, RedisErrorException.class).code()).isEqualTo("NOPERM");
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
