package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.io.IOException;
import java.net.SocketTimeoutException;
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
    void aRequestWithoutAConnectionWasNotExecutedAndASentOneMayHaveBeen() {
        JedisException failure = new JedisConnectionException("broken", new IOException("reset by peer"));
        assertThat(Failures.unsent(failure, "here"))
                .hasMessageContaining("here")
                .hasMessageContaining("reset by peer")
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
        assertThat(Failures.unanswered(failure, "here").maybeExecuted()).isTrue();
        assertThat(Failures.closed("here").maybeExecuted()).isFalse();
    }

    @Test
    void aTimeOutIsKnownByItsCause() {
        assertThat(Failures.isTimeout(Failures.unanswered(
                        new JedisConnectionException(new SocketTimeoutException("Read timed out")), "here")))
                .isTrue();
        assertThat(Failures.isTimeout(new JedisConnectionException("broken"))).isFalse();
    }
}
