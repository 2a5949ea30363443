package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Decodes replies as they stand on the wire, whole and in pieces. */
class OutputsTest {

    private static <T> T decode(CommandOutput<String, String, T> output, String reply) {
        RedisStateMachine machine = new RedisStateMachine();
        ByteBuf arrived = Unpooled.buffer();
        boolean complete = false;
        for (byte b : reply.getBytes(StandardCharsets.UTF_8)) {
            assertThat(complete).isFalse();
            arrived.writeByte(b);
            complete = machine.decode(arrived, output);
        }
        assertThat(complete).isTrue();
        assertThat(output.getError()).isNull();
        return output.get();
    }

    private static List<String> strings(String reply) {
        return decode(new StringsOutput(), reply);
    }

    private static Object reply(String reply) {
        return decode(new ReplyOutput(), reply);
    }

    @Test
    void theReplyOfAScriptIsAFlatListOfStrings() {
        assertThat(strings("*3\r\n$1\r\na\r\n:42\r\n$0\r\n\r\n")).containsExactly("a", "42", "");
        assertThat(strings("$2\r\n\u00e9\r\n")).containsExactly("\u00e9");
        assertThat(strings(":-1\r\n")).containsExactly("-1");
        assertThat(strings("+OK\r\n")).containsExactly("OK");
        assertThat(strings("*0\r\n")).isEmpty();
        assertThat(strings("*2\r\n*2\r\n:1\r\n:2\r\n:3\r\n")).containsExactly("1", "2", "3");
    }

    @Test
    void nilInTheReplyOfAScriptIsAnEmptyString() {
        assertThat(strings("*2\r\n$-1\r\n:1\r\n")).containsExactly("", "1");
        assertThat(strings("_\r\n")).containsExactly("");
    }

    @Test
    void anyReplyKeepsItsShape() {
        assertThat(reply("$-1\r\n")).isNull();
        assertThat(reply("*-1\r\n")).isNull();
        assertThat(reply("_\r\n")).isNull();
        assertThat(reply(":7\r\n")).isEqualTo(7L);
        assertThat(reply("+PONG\r\n")).isEqualTo("PONG");
        assertThat(reply("*0\r\n")).isEqualTo(List.of());
        assertThat(reply("*3\r\n*2\r\n:1\r\n*0\r\n$1\r\nx\r\n*1\r\n*1\r\n$-1\r\n"))
                .isEqualTo(Arrays.asList(List.of(1L, List.of()), "x", List.of(Arrays.asList(new Object[] {null}))));
        assertThat(reply("%2\r\n+a\r\n:1\r\n+b\r\n~1\r\n:2\r\n")).isEqualTo(List.of("a", 1L, "b", List.of(2L)));
        assertThat(reply("*3\r\n,1.5\r\n#t\r\n(123456789012345678901\r\n"))
                .isEqualTo(List.of("1.5", 1L, "123456789012345678901"));
    }

    private static ServerDescription describe(String info) {
        DescriptionOutput output =
                new DescriptionOutput(primary -> new RedisNode("h", 1, primary), Set.of(Capability.AT_MOST_ONCE));
        return decode(output, "$" + info.length() + "\r\n" + info + "\r\n");
    }

    @Test
    void aDescriptionHasTheVersionOfTheServerItself() {
        ServerDescription redis = describe("# Server\r\nredis_version:7.0.15\r\nrole:master\r\n");
        assertThat(redis.version()).isEqualTo("7.0.15");
        assertThat(redis.nodes()).containsExactly(new RedisNode("h", 1, true));
        assertThat(redis.capabilities()).containsExactly(Capability.AT_MOST_ONCE);

        ServerDescription valkey = describe("redis_version:7.2.4\r\nvalkey_version:8.1.3\r\nrole:slave\r\n");
        assertThat(valkey.version()).isEqualTo("8.1.3");
        assertThat(valkey.nodes()).containsExactly(new RedisNode("h", 1, false));
    }

    @Test
    void theCompatibleRedisVersionDecidesWhetherAServerHasWaitaof() {
        for (String info :
                List.of("redis_version:7.2.0", "redis_version:8.0.1", "redis_version:7.2.4\r\nvalkey_version:9.0.0")) {
            assertThat(describe(info + "\r\n").capabilities())
                    .as(info)
                    .containsExactlyInAnyOrder(Capability.AT_MOST_ONCE, Capability.WAITS_FOR_DISKS);
        }
        for (String info : List.of("redis_version:7.0.15", "redis_version:6.2.11", "redis_version:x", "role:master")) {
            assertThat(describe(info + "\r\n").capabilities()).as(info).containsExactly(Capability.AT_MOST_ONCE);
        }
    }

    private static String sent(SentCommand<Long> command) {
        ByteBuf bytes = Unpooled.buffer();
        command.encode(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void waitingForReplicasOrDisksIsSentAsRedisDefinesIt() {
        // WAIT numreplicas timeout; WAITAOF numlocal numreplicas timeout.
        assertThat(sent(DurableWait.of(false, 2, 150, "here")))
                .isEqualTo("*3\r\n$4\r\nWAIT\r\n$1\r\n2\r\n$3\r\n150\r\n");
        assertThat(sent(DurableWait.of(true, 0, 2000, "here")))
                .isEqualTo("*4\r\n$7\r\nWAITAOF\r\n$1\r\n1\r\n$1\r\n0\r\n$4\r\n2000\r\n");
    }

    @Test
    void onDiskNoReplicaCountsWithoutTheServerItself() {
        assertThat(counted(false, ":2\r\n")).isEqualTo(2);
        assertThat(counted(false, ":0\r\n")).isZero();
        assertThat(counted(true, "*2\r\n:1\r\n:0\r\n")).isEqualTo(1);
        assertThat(counted(true, "*2\r\n:1\r\n:2\r\n")).isEqualTo(3);
        assertThat(counted(true, "*2\r\n:0\r\n:2\r\n")).isZero();
    }

    private static long counted(boolean onDisk, String reply) {
        return decode(DurableWait.of(onDisk, 1, 1, "here").getOutput(), reply);
    }
}
