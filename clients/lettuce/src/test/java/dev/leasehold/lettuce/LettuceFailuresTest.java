package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class LettuceFailuresTest {

    @Test
    void anErrorReplyIsFoundAmongTheCauses() {
        Throwable refused = new RedisConnectionException(
                "Unable to connect", new RedisCommandExecutionException("WRONGPASS no such user"));
        assertThat(LettuceFailures.of(new ExecutionException(refused), false, "h:1"))
                .isInstanceOfSatisfying(RedisErrorException.class, e -> {
                    assertThat(e.code()).isEqualTo("WRONGPASS");
                    assertThat(e).hasMessage("WRONGPASS no such user");
                });
        assertThat(LettuceFailures.unsent(new ExecutionException(refused), "h:1"))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("WRONGPASS"))
                .hasMessageNotContaining("no such user");
    }

    /** A client of a cluster failed as if nobody had answered, though a node had refused the password. */
    @Test
    void anErrorReplyIsFoundAmongWhatTheNodesOfAClusterAnswered() {
        RedisException noTopology = new RedisException("Cannot obtain initial Redis Cluster topology");
        noTopology.addSuppressed(new RedisConnectionException("Unable to connect", new IOException("refused")));
        noTopology.addSuppressed(new RedisConnectionException(
                "Unable to connect", new RedisCommandExecutionException("WRONGPASS no such user")));
        assertThat(LettuceFailures.unsent(new CompletionException(noTopology), "h:1"))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("WRONGPASS"));
        // Of a command that was sent it says nothing: Redis may have executed it.
        assertThat(LettuceFailures.of(new CompletionException(noTopology), true, "h:1"))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isTrue());
    }

    /** The log said "is replaced: null" when a command met a channel that Netty had closed. */
    @Test
    void theEndOfAConnectionHasAReasonEvenIfTheFailureHasNoMessage() {
        assertThat(LettuceFailures.reason(new ClosedChannelException())).isEqualTo("it broke");
        assertThat(LettuceFailures.reason(new IOException("Connection reset by peer")))
                .isEqualTo("Connection reset by peer");
    }

    @Test
    void allElseMeansThatNoAnswerCameAndNamesTheServerAndTheDeepestCause() {
        Throwable broken = new CompletionException(
                new RedisConnectionException("Unable to connect", new IOException("Connection refused")));
        assertThat(LettuceFailures.of(broken, true, "h:1"))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isTrue())
                .hasMessageContaining("h:1")
                .hasMessageContaining("Unable to connect")
                .hasMessageEndingWith("Connection refused");
        assertThat(LettuceFailures.of(new IllegalStateException(), false, "h:1"))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse())
                .hasMessageContaining("IllegalStateException");
    }

    @Test
    void whatSocketsAddToAnAddressIsLeftOut() {
        Throwable refused = new RedisConnectionException(
                "Unable to connect to 127.0.0.1/<unresolved>:6391",
                new IOException("finishConnect(..) failed with error(-111): Connection refused: /127.0.0.1:6391"));
        assertThat(LettuceFailures.of(refused, false, "h:1"))
                .hasMessage(
                        "no answer from Redis at h:1: Unable to connect to 127.0.0.1:6391: Connection refused: 127.0.0.1:6391");
        assertThat(LettuceFailures.of(new IOException("/[::1]:6391 and /var/run/redis.sock"), false, "h:1"))
                .hasMessage("no answer from Redis at h:1: [::1]:6391 and /var/run/redis.sock");
    }

    @Test
    void exceptionsOfThePortAreNotTranslated() {
        TransportException own = new TransportException("mine", false, null);
        assertThat(LettuceFailures.of(new CompletionException(own), true, "h:1"))
                .isSameAs(own);
    }
}
