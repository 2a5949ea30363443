package dev.leasehold.testkit;

import dev.leasehold.spi.ScriptCall;

/** Decides what becomes of the requests of a {@link SimulatedTransport}. */
@FunctionalInterface
public interface Network {

    /**
     * Asked once for each request, for each entry of a batch, when it is sent.
     *
     * @param call the request
     * @return its fate
     */
    Fate of(ScriptCall call);
}
