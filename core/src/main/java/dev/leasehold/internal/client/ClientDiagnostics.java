package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.internal.check.Diagnosis;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.waitgraph.WaitGraphReader;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks servers and finds deadlocks over the client's connections. */
final class ClientDiagnostics extends EngineDiagnostics {

    private final ClientConfig config;
    private final ServerQueries queries;
    private final WaitGraphReader waits;

    ClientDiagnostics(
            ClientConfig config, Engine engine, ServerQueries queries, WaitGraphReader waits, TimeSource time) {
        super(engine, time);
        this.config = config;
        this.queries = queries;
        this.waits = waits;
    }

    @Override
    List<Finding> check() {
        return Diagnosis.of(queries, config);
    }

    @Override
    public WaitGraph waitGraph() {
        engine.ensureOpen();
        Map<LockKey, InspectLock.State> states = states();
        try {
            return waits.graph(states);
        } catch (RedisErrorException e) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "Redis refused to ask processes what their threads wait for: " + e.getMessage() + ". "
                            + RefusalAdvice.of(
                                    e, "The user needs the rights of wake-ups (docs/operations.md, section 2)"),
                    e);
        }
    }

    /** Returns the states of all locks. */
    private Map<LockKey, InspectLock.State> states() {
        Map<LockKey, InspectLock.State> states = new LinkedHashMap<>();
        new LockScan(queries, ListedKeys.own(config.keyPrefix()))
                .run(keys -> states.putAll(engine.inspection().states(keys)), LockScan::mustAnswer);
        return states;
    }
}
