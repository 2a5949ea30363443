package dev.leasehold.internal.concurrent;

import java.util.concurrent.CompletableFuture;

/** A stage of a request whose connection learns when a caller gives up, while the stage goes on. */
public interface Doubtable {

    /**
     * Tells the connection that a caller waits no longer.
     *
     * @return false if there is no connection to tell; then the stage may be cancelled
     */
    boolean doubt();

    /**
     * Gives up an answer. A request that is on its way goes on, and its late answer is still delivered; one that has not been sent
     * is not sent any more.
     */
    static void giveUp(CompletableFuture<?> answer) {
        if (!(answer instanceof Doubtable doubtable && doubtable.doubt())) {
            answer.cancel(false);
        }
    }
}
