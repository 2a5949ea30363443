package dev.leasehold.internal.store;

import java.util.concurrent.CompletableFuture;

/** A store that another one replaces once, when the server has become known. Safe for use by any thread. */
public final class SwitchingStore implements LockStore.Forwarding {

    private volatile LockStore behind;

    public SwitchingStore(LockStore first) {
        this.behind = first;
    }

    /** Sends all further requests to this store. */
    public void switchTo(LockStore next) {
        behind = next;
    }

    @Override
    public LockStore behind() {
        return behind;
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        return behind.send(request);
    }
}
