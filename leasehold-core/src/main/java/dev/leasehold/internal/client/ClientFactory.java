package dev.leasehold.internal.client;

import dev.leasehold.Leasehold;

/** Puts a client together. */
public final class ClientFactory {

    private ClientFactory() {}

    /** Connects and checks. */
    public static Leasehold open(ClientConfig config) {
        throw new UnsupportedOperationException("the engine follows: " + config.name());
    }
}
