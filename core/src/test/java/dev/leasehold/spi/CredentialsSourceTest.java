package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Credentials;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CredentialsSourceTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final AtomicInteger calls = new AtomicInteger();

    private Credentials next() {
        return new Credentials("app", "s3cret" + calls.incrementAndGet());
    }

    private static Credentials answer(CredentialsSource source) throws Exception {
        return source.ask().toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private static TransportException failure(CredentialsSource source) {
        ExecutionException failure = catchThrowableOfType(ExecutionException.class, () -> answer(source));
        assertThat(failure).hasCauseInstanceOf(TransportException.class);
        return (TransportException) failure.getCause();
    }

    /** A supplier that waits until the latch opens. */
    private Supplier<Credentials> behind(CountDownLatch gate) {
        return () -> {
            Credentials made = next();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return made;
        };
    }

    @Test
    void eachConnectionAsksAnew() throws Exception {
        CredentialsSource source = new CredentialsSource(this::next, LONG);
        assertThat(answer(source).password()).isEqualTo("s3cret1");
        assertThat(answer(source).password()).isEqualTo("s3cret2");
        assertThat(source.await(LONG.toNanos()).password()).isEqualTo("s3cret3");
    }

    @Test
    void connectionsThatAreOpenedDuringACallShareItsAnswer() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CredentialsSource source = new CredentialsSource(behind(gate), LONG);
        CompletableFuture<Credentials> first = source.ask().toCompletableFuture();
        CompletableFuture<Credentials> second = source.ask().toCompletableFuture();
        second.cancel(false);
        gate.countDown();
        assertThat(first.get(LONG.toSeconds(), TimeUnit.SECONDS).password()).isEqualTo("s3cret1");
        assertThat(answer(source).password()).isEqualTo("s3cret2");
    }

    @Test
    void aSupplierThatThrowsIsNamedWithTheTypeOfWhatItThrewAndWithoutItsMessage() {
        CredentialsSource source = new CredentialsSource(
                () -> {
                    throw new IllegalStateException("the token s3cret has expired");
                },
                LONG);
        TransportException failure = failure(source);
        assertThat(failure)
                .hasMessageContaining("credentials supplier " + getClass().getName())
                .hasMessageContaining("threw IllegalStateException at ")
                .hasNoCause();
        assertThat(failure.getMessage()).doesNotContain("s3cret");
        assertThat(failure.maybeExecuted()).isFalse();
        assertThatThrownBy(() -> source.await(LONG.toNanos())).hasMessage(failure.getMessage());
    }

    @Test
    void aSupplierThatThrowsAnErrorOrReturnsNullFailsItsConnectionOnly() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CredentialsSource source = new CredentialsSource(
                () -> switch (asked.incrementAndGet()) {
                    case 1 -> null;
                    case 2 -> throw new NoClassDefFoundError("sdk");
                    default -> next();
                },
                LONG);
        assertThat(failure(source)).hasMessageContaining("returned null");
        assertThat(failure(source)).hasMessageContaining("threw NoClassDefFoundError");
        assertThat(answer(source).password()).isEqualTo("s3cret1");
    }

    @Test
    void aSupplierThatDoesNotReturnHoldsOneThreadAndFailsFurtherConnectionsImmediately() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CredentialsSource source = new CredentialsSource(behind(gate), Duration.ofMillis(20));
        assertThat(failure(source)).hasMessageContaining("has not returned within 20 ms");
        for (int i = 0; i < 1000; i++) {
            assertThat(source.ask().toCompletableFuture()).isCompletedExceptionally();
        }
        assertThatThrownBy(() -> source.await(LONG.toNanos())).hasMessageContaining("has not returned within 20 ms");
        assertThat(calls).hasValue(1);
        gate.countDown();
        await().until(() -> source.ask()
                .toCompletableFuture()
                .handle((answer, failure) -> failure == null)
                .get());
        assertThat(calls.get()).isGreaterThan(1);
    }

    @Test
    void aBlockingClientWaitsNoLongerThanItsOwnTime() {
        CountDownLatch gate = new CountDownLatch(1);
        CredentialsSource source = new CredentialsSource(behind(gate), Duration.ofSeconds(2));
        assertThatThrownBy(() -> source.await(TimeUnit.MILLISECONDS.toNanos(5)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("has not returned within 5 ms");
        gate.countDown();
    }

    @Test
    void anInterruptDoesNotEndTheWaitAndIsKept() {
        Thread caller = Thread.currentThread();
        CredentialsSource source = new CredentialsSource(
                () -> {
                    await().until(() -> !caller.isInterrupted());
                    return next();
                },
                LONG);
        caller.interrupt();
        try {
            assertThat(source.await(LONG.toNanos()).password()).isEqualTo("s3cret1");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void itsTextShowsNothingOfWhatItSupplies() {
        assertThat(new CredentialsSource(this::next, LONG).toString())
                .startsWith("CredentialsSource[" + getClass().getName())
                .doesNotContain("s3cret");
    }
}
