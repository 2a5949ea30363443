package dev.leasehold.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.PlainKey;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a store finds the handler of a request; the tests of the stores show which requests each refuses. */
class RequestHandlersTest {

    private static final ForceRelease REQUEST = new ForceRelease(PlainKey.of("a"), 1);
    private static final ForceRelease.Answer ANSWER =
            new ForceRelease.Answer(ForceRelease.Code.FREE, ServerTime.NONE, "");

    private final RequestHandlers handlers = new RequestHandlers("the store", LockKind.PLAIN);

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
                .hasMessageContaining("the store does not support the request 'force release'");
    }
}
