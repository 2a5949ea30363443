package dev.leasehold.internal.client;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.internal.check.QuorumCheck;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import java.util.List;

/** Checks the servers of a quorum. */
final class QuorumDiagnostics extends EngineDiagnostics {

    private final ClientConfig config;
    private final List<Node> nodes;
    private final QuorumParts parts;

    QuorumDiagnostics(ClientConfig config, Engine engine, List<Node> nodes, QuorumParts parts) {
        super(engine, parts.time());
        this.config = config;
        this.nodes = nodes;
        this.parts = parts;
    }

    @Override
    List<Finding> check() {
        return new QuorumCheck(config, nodes, parts).run();
    }

    /** Runs the checks before the first use. */
    List<Finding> preflight() {
        return keep(QuorumCheck.atConnect(config, nodes));
    }

    @Override
    public WaitGraph waitGraph() {
        throw QuorumClient.refused("wait graph", "its servers keep no queue");
    }
}
