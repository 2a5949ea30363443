package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.IncorrectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class WitnessTest {

    private final Witness witness = new Witness("a lock");

    @Test
    void letsThreadsInOneAfterTheOther() {
        witness.enter();
        witness.leave();
        assertThatCode(() -> inAnotherThread(witness::enter)).doesNotThrowAnyException();
    }

    @Test
    void noticesASecondThread() {
        witness.enter();
        assertThatThrownBy(() -> inAnotherThread(witness::enter))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(IncorrectException.class)
                .hasMessageContaining("a lock: ")
                .hasMessageContaining("entered while");
    }

    @Test
    void noticesItAlsoWhenTheFirstLeaves() {
        witness.enter();
        assertThat(CompletableFuture.runAsync(witness::enter)
                        .handle((done, failure) -> failure)
                        .join())
                .isNotNull();
        assertThatThrownBy(witness::leave).isInstanceOf(IncorrectException.class);
    }

    private static void inAnotherThread(Runnable task) {
        CompletableFuture.runAsync(task).join();
    }
}
