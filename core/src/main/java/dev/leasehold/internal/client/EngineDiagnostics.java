package dev.leasehold.internal.client;

import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.check.KeptFindings;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.Optional;

/** What the diagnostics of one server and of a quorum have in common: findings are kept, and the engine knows of refusals. */
abstract class EngineDiagnostics implements Diagnostics {

    final Engine engine;
    private final KeptFindings findings;

    EngineDiagnostics(Engine engine, TimeSource time) {
        this.engine = engine;
        this.findings = new KeptFindings(time);
    }

    /** Checks the servers. */
    abstract List<Finding> check();

    /** Keeps what a check has found, and returns it. */
    final List<Finding> keep(List<Finding> found) {
        return findings.keep(found);
    }

    @Override
    public final List<Finding> findings() {
        engine.ensureOpen();
        return keep(check());
    }

    @Override
    public final List<Finding> lastFindings() {
        return findings.get();
    }

    @Override
    public final Optional<Finding> refusal() {
        return engine.events().refusal();
    }
}
