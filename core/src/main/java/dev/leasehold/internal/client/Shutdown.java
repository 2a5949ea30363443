package dev.leasehold.internal.client;

import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.time.BoundedWait;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a client, once: releases what it holds, and closes what it opened. */
final class Shutdown {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.client");

    private final Duration commandTimeout;
    private final TimeSource time;
    private final Engine engine;
    private final Candidates candidates;
    private final OwnedResources resources;
    private final AtomicBoolean begun = new AtomicBoolean();

    Shutdown(Duration commandTimeout, TimeSource time, Engine engine, Candidates candidates, OwnedResources resources) {
        this.commandTimeout = commandTimeout;
        this.time = time;
        this.engine = engine;
        this.candidates = candidates;
        this.resources = resources;
    }

    void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        // Leaders are notified before their locks are released. No other lock waits for their listeners.
        candidates.closeAll();
        engine.shutDownButForTerms();
        waitUntil(candidates::allDemoted);
        engine.shutDown();
        waitUntil(engine::quiet);
        if (!engine.quiet()) {
            LOG.warn("closed before Redis confirmed every release; the remaining holds end with their leases");
        }
        engine.flushLogs();
        resources.dispose();
    }

    private void waitUntil(BooleanSupplier condition) {
        new BoundedWait(time, commandTimeout.toNanos()).until(condition);
    }
}
