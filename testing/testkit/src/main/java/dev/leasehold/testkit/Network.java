package dev.leasehold.testkit;

import dev.leasehold.spi.ScriptCall;

/** Decides the fate of the requests of a {@link SimulatedTransport}. */
@FunctionalInterface
public interface Network {

    /**
     * Returns the fate of a request. Called once for each request, and once for each entry of a batch, when it is
     * sent.
     *
     * @param call the request
     * @return its fate
     */
    Fate of(ScriptCall call);
}
