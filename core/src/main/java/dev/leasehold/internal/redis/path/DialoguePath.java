package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.Dialogue;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds dialogues with one server. A dialogue stays on the connection on which it began, and no other command is sent
 * over it meanwhile. If the dialogue fails, that connection is closed. Safe for use by any thread.
 */
public interface DialoguePath {

    /**
     * Holds a dialogue.
     *
     * @param onError called with the first error reply of each flush, before the dialogue gets the replies
     * @return a stage that is complete when the dialogue has ended
     */
    CompletionStage<@Nullable Void> hold(Dialogue dialogue, Consumer<String> onError);

    /** Gives up connections that are open or being opened: the next lead elsewhere. */
    void restart(String reason);

    /** Ends all connections and opens no other. Does not block. */
    void close(String reason);
}
