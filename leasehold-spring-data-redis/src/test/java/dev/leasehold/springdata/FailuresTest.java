package dev.leasehold.springdata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.RedisConnectionFailureException;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class FailuresTest {

    @Test
    void anErrorReplyToTheHandshakeIsOneWhereverSpringHidesIt() {
        Throwable ofJedis = new RedisConnectionFailureException(
                "Cannot get Jedis connection", new JedisAccessControlException("WRONGPASS no such user"));
        assertThat(Failures.unsent(ofJedis, JedisDataException.class, "here"))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("WRONGPASS"));
        Throwable ofLettuce = new RedisConnectionFailureException(
                "Unable to connect",
                new RedisConnectionException(
                        "Unable to connect", new RedisCommandExecutionException("NOAUTH say who you are")));
        assertThat(Failures.unsent(ofLettuce, RedisCommandExecutionException.class, "here"))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("NOAUTH"));
    }

    @Test
    void aRequestWithoutAConnectionWasNotExecutedAndASentOneMayHaveBeen() {
        Throwable failure =
                new RedisConnectionFailureException("Cannot get Jedis connection", new IOException("reset by peer"));
        assertThat(Failures.unsent(failure, JedisDataException.class, "here"))
                .hasMessageContaining("here")
                .hasMessageContaining("reset by peer")
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
        assertThat(Failures.unanswered(failure, "here").maybeExecuted()).isTrue();
        assertThat(Failures.closed("here").maybeExecuted()).isFalse();
    }

    @Test
    void aTimeOutIsKnownByItsCauseOverEitherClient() {
        assertThat(Failures.isTimeout(Failures.unanswered(
                        new JedisConnectionException(new SocketTimeoutException("Read timed out")), "here")))
                .isTrue();
        assertThat(Failures.isTimeout(Failures.unanswered(new TimeoutException(), "here")))
                .isTrue();
        assertThat(Failures.isTimeout(new JedisConnectionException("broken"))).isFalse();
    }
}
