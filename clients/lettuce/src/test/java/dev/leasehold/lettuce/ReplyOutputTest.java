package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decodes replies as they stand on the wire, whole and in pieces. */
class ReplyOutputTest {

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

    private static Object reply(String reply) {
        return decode(new ReplyOutput(), reply);
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

    @Test
    void anErrorWithinAListIsAnElementOfIt() {
        assertThat((List<?>) reply("*2\r\n-ERR no\r\n:1\r\n"))
                .satisfiesExactly(
                        error -> assertThat(error)
                                .isInstanceOf(RedisErrorException.class)
                                .hasToString("dev.leasehold.spi.RedisErrorException: ERR no"),
                        one -> assertThat(one).isEqualTo(1L));
    }
}
