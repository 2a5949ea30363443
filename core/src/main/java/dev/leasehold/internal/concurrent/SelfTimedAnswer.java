package dev.leasehold.internal.concurrent;

import java.util.concurrent.CompletableFuture;

/**
 * The future of an answer that is put together from requests with timeouts of their own. Their connections learn of these, so a
 * caller that gives up has nobody to tell, and a late answer is still delivered.
 */
public final class SelfTimedAnswer<A> extends CompletableFuture<A> implements Doubtable {

    @Override
    public boolean doubt() {
        return true;
    }
}
