package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that refuses hangs up at once; Lettuce then may not hear why. */
class LettuceConnectorTest {

    private static final RedisConnectionException UNHEARD = new RedisConnectionException(
            "Unable to connect", new IllegalStateException("RedisHandshakeHandler not registered"));

    private final AtomicInteger tries = new AtomicInteger();

    private CompletionStage<String> unheardFor(int times, CompletionStage<String> then) {
        return LettuceConnector.retryUnread(
                () -> tries.incrementAndGet() <= times ? CompletableFuture.failedFuture(UNHEARD) : then, 3);
    }

    @Test
    void asksAgainWhereLettuceDidNotHearTheAnswer() {
        CompletionStage<String> refused = CompletableFuture.failedFuture(new IllegalStateException("WRONGPASS"));
        assertThatThrownBy(() -> unheardFor(2, refused).toCompletableFuture().join())
                .hasRootCauseMessage("WRONGPASS");
        assertThat(tries).hasValue(3);
    }

    @Test
    void anAnswerThatWasHeardIsTheLast() {
        CompletionStage<String> opened = CompletableFuture.completedFuture("open");
        assertThat(unheardFor(0, opened).toCompletableFuture()).isCompletedWithValue("open");
        assertThat(tries).hasValue(1);
    }

    @Test
    void doesNotAskForEver() {
        CompletionStage<String> never = CompletableFuture.completedFuture("open");
        assertThatThrownBy(() -> unheardFor(9, never).toCompletableFuture().join())
                .hasRootCauseMessage("RedisHandshakeHandler not registered");
        assertThat(tries).hasValue(4);
    }
}
