package dev.leasehold.internal.quorum;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Handles the outcome of a request to one server: one answer or failure; after a failure, possibly a late answer. A node
 * reports it on any thread, and the actions run in the serial executor of the sender.
 */
final class AnswerHandler<A> {

    private final Executor executor;
    private final Consumer<A> onAnswer;
    private final Consumer<RuntimeException> onFailure;
    private final Consumer<A> onLateAnswer;

    AnswerHandler(
            Executor executor, Consumer<A> onAnswer, Consumer<RuntimeException> onFailure, Consumer<A> onLateAnswer) {
        this.executor = executor;
        this.onAnswer = onAnswer;
        this.onFailure = onFailure;
        this.onLateAnswer = onLateAnswer;
    }

    void answered(A answer) {
        executor.execute(() -> onAnswer.accept(answer));
    }

    void failed(RuntimeException failure) {
        executor.execute(() -> onFailure.accept(failure));
    }

    void answeredLate(A answer) {
        executor.execute(() -> onLateAnswer.accept(answer));
    }
}
