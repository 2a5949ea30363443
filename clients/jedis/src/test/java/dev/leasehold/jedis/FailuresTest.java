package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

class FailuresTest {

    @Test
    void anErrorReplyToTheHandshakeIsOneWhereverItHides() {
        JedisException wrapped = new JedisException(
                "Could not get a resource", new JedisAccessControlException("WRONGPASS no such user"));
        assertThat(Failures.unsent(wrapped, "here"))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("WRONGPASS"));
    }

    @Test
    void aRequestWithoutAConnectionWasNotExecuted() {
        JedisException failure = new JedisConnectionException("broken", new IOException("reset by peer"));
        assertThat(Failures.unsent(failure, "here"))
                .hasMessageContaining("here")
                .hasMessageContaining("reset by peer")
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
        assertThat(Failures.closed(new RedisAddress("here", 1)).maybeExecuted()).isFalse();
    }
}
