package dev.leasehold.internal.concurrent;

/** A stage of a request that several callers wait for, so that one which gives up must not cancel it. */
public interface Doubtable {

    /** Puts the connection in doubt, as the cancellation of the stage would, but the stage goes on. */
    void doubt();
}
