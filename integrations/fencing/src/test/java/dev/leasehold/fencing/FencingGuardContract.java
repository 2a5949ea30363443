package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every guard, for any resource. */
abstract class FencingGuardContract {

    static final long LARGEST = (1L << 53) - 1;

    private static final AtomicInteger NAMES = new AtomicInteger();

    /** Returns a resource that no other test uses, prepared for use if necessary. */
    String resource() throws Exception {
        return "resource:" + NAMES.incrementAndGet();
    }

    /** Writes to the resource under a token, as a user of the guard would. */
    abstract void write(String resource, long token, String value) throws Exception;

    /** Returns the last value written. */
    abstract @Nullable String value(String resource) throws Exception;

    /** Returns whether the guard and the write are one step, so that the last value is that of the highest token. */
    abstract boolean oneStep();

    @Test
    void theFirstTokenIsAccepted() throws Exception {
        String resource = resource();
        write(resource, 1, "first");
        assertThat(value(resource)).isEqualTo("first");
    }

    @Test
    void theSameTokenIsAcceptedAgain() throws Exception {
        String resource = resource();
        write(resource, 7, "first");
        write(resource, 7, "second");
        assertThat(value(resource)).isEqualTo("second");
    }

    @Test
    void aNewerTokenIsAccepted() throws Exception {
        String resource = resource();
        write(resource, 7, "earlier");
        write(resource, 8, "later");
        assertThat(value(resource)).isEqualTo("later");
    }

    @Test
    void anOlderTokenIsRefusedAndNothingIsWritten() throws Exception {
        String resource = resource();
        write(resource, 8, "later");
        assertThatThrownBy(() -> write(resource, 7, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(value(resource)).isEqualTo("later");
        // The fence was not lowered.
        assertThatThrownBy(() -> write(resource, 7, "late")).isInstanceOf(StaleTokenException.class);
        write(resource, 8, "still there");
        assertThat(value(resource)).isEqualTo("still there");
    }

    @Test
    void aRefusalNamesTheResourceAndBothTokens() throws Exception {
        String resource = resource();
        write(resource, 1_763_690_400_000_002L, "later");
        Throwable refusal = catchThrowable(() -> write(resource, 1_763_690_400_000_001L, "late"));
        assertThat(refusal)
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining(resource)
                .hasMessageContaining("1763690400000001")
                .hasMessageContaining("1763690400000002");
        StaleTokenException stale = (StaleTokenException) refusal;
        assertThat(stale.resource()).contains(resource);
        assertThat(stale.token()).isEqualTo(1_763_690_400_000_001L);
        assertThat(stale.highest()).hasValue(1_763_690_400_000_002L);
    }

    @Test
    void resourcesAreIndependent() throws Exception {
        String one = resource();
        String other = resource();
        write(one, 8, "one");
        write(other, 7, "other");
        assertThat(value(one)).isEqualTo("one");
        assertThat(value(other)).isEqualTo("other");
    }

    @Test
    void tokensAreExactUpToTheLastOneBelow2To53() throws Exception {
        String resource = resource();
        write(resource, LARGEST - 1, "last but one");
        assertThatThrownBy(() -> write(resource, LARGEST - 2, "late")).isInstanceOf(StaleTokenException.class);
        write(resource, LARGEST, "last");
        assertThatThrownBy(() -> write(resource, LARGEST - 1, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(value(resource)).isEqualTo("last");
    }

    @Test
    void tokensAreComparedAsNumbers() throws Exception {
        String resource = resource();
        write(resource, 9, "earlier");
        write(resource, 10, "later");
        assertThatThrownBy(() -> write(resource, 9, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(value(resource)).isEqualTo("later");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, LARGEST + 1, Long.MAX_VALUE})
    void anInvalidTokenIsRefusedAsSuch(long token) throws Exception {
        String resource = resource();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> write(resource, token, "never"))
                .withMessageContaining(Long.toString(token));
        assertThat(value(resource)).isNull();
    }

    @Test
    void onceANewerTokenWasAcceptedOlderOnesAreRefused() throws Exception {
        Random random = new Random(42);
        for (int round = 0; round < 8; round++) {
            String resource = resource();
            List<Long> tokens = new ArrayList<>();
            for (long token = 1; token <= 40; token++) {
                tokens.add(token);
            }
            Collections.shuffle(tokens, random);
            AtomicLong highest = new AtomicLong();
            inThreads(4, thread -> {
                for (int i = thread; i < tokens.size(); i += 4) {
                    long token = tokens.get(i);
                    long before = highest.get();
                    if (accepted(resource, token)) {
                        assertThat(token).as("accepted after %d", before).isGreaterThanOrEqualTo(before);
                        highest.accumulateAndGet(token, Math::max);
                    } else {
                        assertThat(token).isLessThan(tokens.size());
                    }
                }
            });
            assertThat(highest).hasValue(tokens.size());
            if (oneStep()) {
                assertThat(value(resource)).isEqualTo("by " + tokens.size());
            }
        }
    }

    @Test
    void ofTwoFirstUsesThatRaceTheNewerWins() throws Exception {
        for (int round = 0; round < 15; round++) {
            String resource = resource();
            CyclicBarrier start = new CyclicBarrier(2);
            inThreads(2, thread -> {
                start.await(20, TimeUnit.SECONDS);
                boolean accepted = accepted(resource, thread + 1);
                assertThat(accepted || thread == 0).as("the newer is accepted").isTrue();
            });
            assertThat(accepted(resource, 1)).isFalse();
            if (oneStep()) {
                assertThat(value(resource)).isEqualTo("by 2");
            }
        }
    }

    private boolean accepted(String resource, long token) throws Exception {
        try {
            write(resource, token, "by " + token);
            return true;
        } catch (StaleTokenException stale) {
            return false;
        }
    }

    /** The work of one of several threads. */
    interface Work {
        void run(int thread) throws Exception;
    }

    static void inThreads(int threads, Work work) throws Exception {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            running.add(inThread(() -> work.run(number)));
        }
        for (CompletableFuture<Void> each : running) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    /** An action that may fail. */
    interface Step {
        void run() throws Exception;
    }

    static CompletableFuture<Void> inThread(Step step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                step.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
