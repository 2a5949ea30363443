package dev.leasehold.internal.redis.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FailuresTest {

    /** "no answer from Redis at ...: CancellationException" told no operator that Sentinels had not answered in time. */
    @Test
    void aCommandThatWasGivenUpHadNoAnswerInTime() {
        assertThat(Failures.of(new CompletionException(new CancellationException()), true, "h:1"))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isTrue())
                .hasMessage("no answer from Redis at h:1 in time");
    }

    @Test
    void allElseKeepsItsReason() {
        assertThat(Failures.of(new CancellationException("closed"), false, "h:1"))
                .hasMessage("no answer from Redis at h:1: closed");
        RedisErrorException refused = new RedisErrorException("NOPERM no");
        assertThat(Failures.of(new CompletionException(refused), false, "h:1")).isSameAs(refused);
    }
}
