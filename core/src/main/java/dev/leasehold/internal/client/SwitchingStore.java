package dev.leasehold.internal.client;

import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.StoreRequest;
import java.util.concurrent.CompletableFuture;

/** A store that another one replaces once, when the server has become known. Safe for use by any thread. */
final class SwitchingStore implements LockStore.Forwarding {

    private volatile LockStore behind;

    SwitchingStore(LockStore first) {
        this.behind = first;
    }

    /** Sends all further requests to this store. */
    void switchTo(LockStore next) {
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
