package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.KeyValue;

class RepliesTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anyReplyKeepsItsShapeAndAMapIsAList() {
        assertThat(Replies.nested(null)).isNull();
        assertThat(Replies.nested(Arrays.asList(1L, null, List.of(bytes("a")))))
                .isEqualTo(Arrays.asList(1L, null, List.of("a")));
        assertThat(Replies.nested(List.of(new KeyValue<>(bytes("k"), List.of(2L)))))
                .isEqualTo(List.of("k", List.of(2L)));
        assertThat(Replies.nested(List.of(new JedisDataException("ERR inner"))))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .singleElement()
                .isInstanceOf(RedisErrorException.class)
                .hasToString("dev.leasehold.spi.RedisErrorException: ERR inner");
    }
}
