package dev.leasehold.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ServerTime;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a quorum finds the handler of a request; the tests of its store show which requests it refuses. */
class RequestHandlersTest {

    private static final ForceRelease REQUEST =
            new ForceRelease(QuorumKey.of(new KeyPrefix("p"), "a"), 0, ServerTime.NONE, 1);
    private static final ForceRelease.Answer ANSWER =
            new ForceRelease.Answer(ForceRelease.Code.FREE, ServerTime.NONE, "", 0);

    private final RequestHandlers handlers = new RequestHandlers();

    @Test
    void aRequestIsHandledByTheHandlerOfItsType() {
        handlers.on(InspectLock.class, request -> CompletableFuture.failedFuture(new AssertionError()))
                .on(ForceRelease.class, request -> CompletableFuture.completedFuture(ANSWER));
        assertThat(handlers.handle(REQUEST)).isCompletedWithValue(ANSWER);
    }

    @Test
    void whatAHandlerThrowsIsTheFailureOfItsRequest() {
        IllegalStateException thrown = new IllegalStateException();
        handlers.on(ForceRelease.class, request -> {
            throw thrown;
        });
        CompletableFuture<ForceRelease.Answer> answer = handlers.handle(REQUEST);
        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join).hasCause(thrown);
    }

    @Test
    void aRequestWithoutAHandlerIsRefusedInWords() {
        CompletableFuture<ForceRelease.Answer> answer = handlers.handle(REQUEST);
        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join)
                .hasRootCauseInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("a quorum does not support the request 'force release'");
    }
}
