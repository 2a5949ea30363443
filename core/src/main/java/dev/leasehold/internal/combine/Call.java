package dev.leasehold.internal.combine;

import dev.leasehold.internal.concurrent.Doubtable;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A call under way.
 *
 * @param stage its answer
 * @param entries the requests that left with it; none if its stage is that of the only caller
 * @param over when all its callers have given up, in ns
 */
record Call(CompletableFuture<?> stage, List<QueuedRequest<?>> entries, long over) {

    /** The caller of an entry has given up. The call goes on for the others, over a connection that is in doubt. */
    void abandoned() {
        if (entries.stream().allMatch(CompletableFuture::isDone)) {
            stage.cancel(false);
        } else {
            doubt();
        }
    }

    /** Puts its connection in doubt. */
    void doubt() {
        if (stage instanceof Doubtable doubtable) {
            boolean unused = doubtable.doubt();
        }
    }

    /** Ends it if all its callers have given up, so that it keeps no other call back. */
    void endIfOver(long now) {
        if (now - over > 0) {
            stage.cancel(false);
        }
    }
}
