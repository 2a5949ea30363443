package dev.leasehold.internal.redis.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.internal.store.AnswerFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A caller that shares a command with others puts its connection in doubt without a cancellation. */
class DoubtTest {

    private final List<PendingCommand<?>> unanswered = new ArrayList<>();
    private final TextCommand command = new TextCommand(List.of("PING"));

    private final PendingCommand.Carrier connection = new PendingCommand.Carrier() {
        @Override
        public void answered(PendingCommand<?> command) {}

        @Override
        public void unanswered(PendingCommand<?> silent) {
            unanswered.add(silent);
        }
    };

    @Test
    void theConnectionIsInDoubtAndTheCommandStaysOpen() {
        assertThat(command.doubt()).isFalse();
        assertThat(unanswered).isEmpty();
        command.sentOver(connection, 0, 0);
        CompletableFuture<Object> answer = AnswerFuture.of(command, reply -> reply);
        assertThat(answer).isInstanceOf(Doubtable.class);
        Doubtable.giveUp(answer);
        assertThat(unanswered).containsExactly(command);
        assertThat(answer).isNotDone();
        command.answered("PONG");
        assertThat(answer).isCompletedWithValue("PONG");
        Doubtable.giveUp(answer);
        assertThat(unanswered).hasSize(1);
    }

    @Test
    void aCommandThatWasNotSentIsNotSentAnyMore() {
        Doubtable.giveUp(AnswerFuture.of(command, reply -> reply));
        assertThat(command).isCancelled();
    }

    @Test
    void aStageOfAnotherTransportIsCancelled() {
        CompletableFuture<Object> source = new CompletableFuture<>();
        Doubtable.giveUp(AnswerFuture.of(source, reply -> reply));
        assertThat(source).isCancelled();
    }
}
