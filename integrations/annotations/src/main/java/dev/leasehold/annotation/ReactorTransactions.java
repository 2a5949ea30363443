package dev.leasehold.annotation;

import reactor.util.context.ContextView;

/** The transactions that Reactor's context carries; implemented by the adapter of a framework. Loaded only with Reactor. */
public interface ReactorTransactions {

    /** No transactions. */
    ReactorTransactions NONE = (method, context) -> {};

    /**
     * Checks a call at its subscription, before anything is sent.
     *
     * @param method the method that is called
     * @param context that of the subscriber
     * @throws IllegalStateException if a transaction is open there, which the lock would not outlive
     */
    void check(LockedMethod method, ContextView context);
}
