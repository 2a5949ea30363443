package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisSocket;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The extended health check: replicas, Sentinels and all cluster nodes, their clocks, and the server features in use.
 */
public final class Diagnosis {

    /** The number of samples of a clock, of which the most exact counts. */
    private static final int CLOCK_SAMPLES = 5;

    private final ServerQueries queries;
    private final ClientConfig config;
    private final @Nullable String uri;
    private final ClockCheck clocks;
    private final TemporaryConnections connections;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Creates the check without running it.
     *
     * @param uri the server of the queries; null if it is not known
     * @param clocks collects the clock readings
     */
    Diagnosis(ServerQueries queries, ClientConfig config, @Nullable String uri, ClockCheck clocks) {
        this.queries = queries;
        this.config = config;
        this.uri = uri;
        this.clocks = clocks;
        connections = new TemporaryConnections(config);
    }

    /** Checks servers that may take over each other's locks; returns the most serious findings first. */
    public static List<Finding> of(ServerQueries queries, ClientConfig config) {
        ClockCheck clocks = new ClockCheck();
        List<Finding> findings = new ArrayList<>(new Diagnosis(queries, config, config.uri(), clocks).run());
        findings.addAll(ClockSkew.amongFailoverServers(
                clocks.readings(), config.defaults().leaseTime()));
        findings.addAll(ClockSkew.againstHost(clocks.readings()));
        findings.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(findings);
    }

    /** Runs all checks; reads the clocks, but leaves their comparison to the caller. */
    List<Finding> run() {
        ServerDescription description = queries.describe();
        List<RedisNode> nodes = description.nodes();
        PreflightCheck check = new PreflightCheck(queries, config);
        check.inspect(nodes);
        List<RedisNode> answering = List.copyOf(check.answering());
        for (RedisNode each : answering) {
            readClock(each);
            findings.addAll(HashEncodingCheck.of(queries, each, answering.size() > 1 ? each + ": " : ""));
        }
        boolean cluster = !description.capabilities().contains(Capability.CALLS_ACROSS_SLOTS);
        if (cluster) {
            checkCluster(nodes, answering);
            check.replicas().forEach(each -> checkListed(each, nodes));
        } else {
            checkStandalone(check.replicas(), answering);
        }
        check.probe(nodes);
        check.probeSubscription();
        check.probeAtomicity(nodes);
        boolean wakesUp = !PreflightCheck.refusesWakeUps(check.findings());
        findings.add(new FeatureCheck(queries).run(description, check.version(), wakesUp));
        findings.addAll(0, check.findings());
        return findings;
    }

    private void readClock(RedisNode node) {
        try {
            clocks.read(queries, node, node.toString(), CLOCK_SAMPLES);
        } catch (LockUnavailableException e) {
            add(Level.WARNING, "clock", node + ": No answer: " + e.getMessage() + ".", "Check its load.");
        }
    }

    private void checkCluster(List<RedisNode> nodes, List<RedisNode> answering) {
        List<RedisNode> replicas =
                nodes.stream().filter(node -> !node.primary()).toList();
        List<RedisNode> primaries = nodes.stream().filter(RedisNode::primary).toList();
        findings.addAll(new ClusterCheck(queries).run(answering, primaries, replicas.size()));
        for (RedisNode each : replicas) {
            try {
                findings.addAll(new ReplicaCheck(queries, each, each.toString(), clocks).run(CLOCK_SAMPLES));
            } catch (LockUnavailableException e) {
                add(
                        Level.WARNING,
                        "replica",
                        "The replica " + each + " does not answer: " + e.getMessage() + ".",
                        "Bring it back before its primary is lost.");
            }
        }
    }

    /** Reports a replica that the cluster does not list, because it has no data yet or is considered failed. */
    private void checkListed(Replica replica, List<RedisNode> nodes) {
        if (nodes.stream().noneMatch(node -> node.equals(replica.node()))) {
            add(
                    Level.WARNING,
                    "replica",
                    "The cluster does not count on the replica " + replica.node()
                            + ": it has no data yet, or the other nodes do not reach it.",
                    "Wait, if it has just been added; otherwise check its log, and whether the nodes reach one another.");
        }
    }

    private void checkStandalone(List<Replica> replicas, List<RedisNode> answering) {
        if (uri == null) {
            if (!replicas.isEmpty()) {
                add(
                        Level.FINE,
                        "replicas",
                        "Replicas are not checked, because the application's own client does not connect to them: connect by URI to check them.",
                        "");
            }
            return;
        }
        ConnectionSettings settings = Transports.settings(config, uri);
        RedisSentinels sentinels = RedisSentinels.areNamedIn(settings.uri()) ? RedisSentinels.of(settings) : null;
        Map<RedisNode, RedisServer> servers = new LinkedHashMap<>();
        for (Replica each : replicas) {
            RedisNode node = each.node();
            servers.put(node, sentinels == null ? like(settings, node) : sentinels.server(node.host(), node.port()));
        }
        servers.forEach((node, server) -> findings.addAll(connections.at(
                server,
                ConnectionPurpose.COMMANDS,
                "replica",
                "See that clients reach replicas, too, as they must after a failover.",
                replica -> new ReplicaCheck(replica, null, node.toString(), clocks).run(CLOCK_SAMPLES))));
        if (sentinels != null && !answering.isEmpty()) {
            Duration lease = config.defaults().leaseTime();
            findings.addAll(new SentinelCheck(sentinels, answering.get(0), lease, connections).run());
        }
    }

    private static RedisServer like(ConnectionSettings settings, RedisNode node) {
        if (RedisSocket.isNamedIn(settings.uri())) {
            RedisSocket socket = RedisSocket.of(settings);
            return new RedisServer(
                    node.host(), node.port(), false, socket.user(), socket.password(), socket.database());
        }
        return RedisServer.of(settings).elsewhere(node.host(), node.port());
    }

    private void add(Level level, String subject, String text, String remedy) {
        findings.add(new Finding(level, subject, text, remedy));
    }
}
