package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisErrorException;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks closer than the check at connect: at replicas, sentinels and all nodes of a cluster, at their clocks, and at what of
 * the server is in use.
 */
final class Diagnosis {

    /** Of so many looks at a clock the most exact counts. */
    private static final int LOOKS = 5;

    private final ServerQueries queries;
    private final ClientConfig config;
    private final @Nullable String uri;
    private final ClockCheck clocks;
    private final TemporaryConnections visits;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Looks at nothing yet.
     *
     * @param uri where the queries lead; null if that is not known
     * @param clocks what takes the readings
     */
    Diagnosis(ServerQueries queries, ClientConfig config, @Nullable String uri, ClockCheck clocks) {
        this.queries = queries;
        this.config = config;
        this.uri = uri;
        this.clocks = clocks;
        visits = new TemporaryConnections(config);
    }

    /** Of servers that may take over one another's locks; the serious first. */
    static List<Finding> of(ServerQueries queries, ClientConfig config) {
        ClockCheck clocks = new ClockCheck();
        List<Finding> findings = new ArrayList<>(new Diagnosis(queries, config, config.uri(), clocks).run());
        findings.addAll(ClockSkew.together(clocks.readings(), config.defaults().leaseTime()));
        findings.addAll(ClockSkew.againstHost(clocks.readings()));
        findings.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(findings);
    }

    /** All but a judgement of the clocks, which are read. */
    List<Finding> run() {
        ServerDescription description = queries.describe();
        List<RedisNode> nodes = description.nodes();
        PreflightCheck check = new PreflightCheck(queries, config);
        check.look(nodes);
        List<RedisNode> answering = List.copyOf(check.answering());
        for (RedisNode each : answering) {
            readClock(each);
        }
        boolean cluster = !description.capabilities().contains(Capability.CALLS_ACROSS_SLOTS);
        if (cluster) {
            ofCluster(nodes, answering);
            check.replicas().forEach(each -> hidden(each, nodes));
        } else {
            alone(check.replicas(), answering);
        }
        features(description, cluster, check.version());
        check.probe(nodes);
        findings.addAll(0, check.findings());
        return findings;
    }

    private void readClock(RedisNode node) {
        try {
            clocks.read(queries, node, node.toString(), LOOKS);
        } catch (LockUnavailableException e) {
            add(Level.WARNING, "clock", node + ": No answer: " + e.getMessage() + ".", "Look at its load.");
        }
    }

    private void ofCluster(List<RedisNode> nodes, List<RedisNode> answering) {
        List<RedisNode> replicas =
                nodes.stream().filter(node -> !node.primary()).toList();
        findings.addAll(new ClusterCheck(queries).run(answering, nodes.size() - replicas.size(), replicas.size()));
        for (RedisNode each : replicas) {
            try {
                findings.addAll(new ReplicaCheck(queries, each, each.toString(), clocks).run(LOOKS));
            } catch (LockUnavailableException e) {
                add(
                        Level.WARNING,
                        "replica",
                        "The replica " + each + " does not answer: " + e.getMessage() + ".",
                        "Bring it back before its primary is lost.");
            }
        }
    }

    /** The cluster names no replica that has nothing yet, or that is taken for failed. */
    private void hidden(Replica replica, List<RedisNode> nodes) {
        if (nodes.stream().noneMatch(node -> node.equals(replica.node()))) {
            add(
                    Level.WARNING,
                    "replica",
                    "The cluster does not count on the replica " + replica.node()
                            + ": it has no data yet, or the other nodes do not reach it.",
                    "Wait, if it has just been added; else look at its log, and whether the nodes reach one another.");
        }
    }

    private void alone(List<Replica> replicas, List<RedisNode> answering) {
        if (uri == null) {
            if (!replicas.isEmpty()) {
                add(
                        Level.FINE,
                        "replicas",
                        "Replicas are not looked at, for a lent client does not lead there: connect by URI to see them.",
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
        servers.forEach((node, server) -> findings.addAll(visits.at(
                server,
                "replica",
                "See that clients reach replicas, too, as they must after a fail-over.",
                there -> new ReplicaCheck(there, null, node.toString(), clocks).run(LOOKS))));
        if (sentinels != null && !answering.isEmpty()) {
            Duration lease = config.defaults().leaseTime();
            findings.addAll(new SentinelCheck(sentinels, answering.get(0), lease, visits).run());
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

    /** What depends on the version or on the kind of the servers. */
    private void features(ServerDescription description, boolean cluster, @Nullable ServerVersion version) {
        if (config.scriptFree()) {
            add(
                    Level.FINE,
                    "features",
                    "In use: plain locks by WATCH, MULTI and EXEC. Not here: all that needs scripts.",
                    "");
            return;
        }
        Set<Capability> can = description.capabilities();
        List<String> used = new ArrayList<>(List.of("scripts by EVALSHA"));
        List<String> lacking = new ArrayList<>();
        if (can.contains(Capability.SHARDED_PUBSUB)) {
            used.add("wake-ups over channels of shards (SPUBLISH)");
        } else {
            used.add(cluster ? "wake-ups through all nodes (PUBLISH)" : "wake-ups by PUBLISH");
            if (cluster) {
                lacking.add("channels of shards (Redis 7.0)");
            }
        }
        if (can.contains(Capability.WAITS_FOR_REPLICAS)) {
            String refusal = refusalOfWait();
            if (refusal.isEmpty()) {
                used.add("WAIT where replicas(...) asks for it");
            } else {
                lacking.add("WAIT, so that replicas(...) is refused (" + refusal + ")");
            }
        } else {
            lacking.add("WAIT: this adapter refuses replicas(...)");
        }
        if (can.contains(Capability.WAITS_FOR_DISKS)) {
            used.add("WAITAOF where onDisk(...) asks for it");
        } else if (version != null && !version.atLeast(7, 2)) {
            lacking.add("WAITAOF (Redis 7.2): onDisk(...) is refused");
        } else {
            lacking.add("WAITAOF: this adapter refuses onDisk(...)");
        }
        add(
                Level.FINE,
                "features",
                "In use: " + String.join(", ", used) + "."
                        + (lacking.isEmpty() ? "" : " Not here: " + String.join(", ", lacking) + "."),
                "");
    }

    /** For no replica there is nothing to wait for: so the answer comes at once. */
    private String refusalOfWait() {
        try {
            Object unused = queries.command(null, List.of("WAIT", "0", "1"));
            return "";
        } catch (RedisErrorException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void add(Level level, String subject, String text, String remedy) {
        findings.add(new Finding(level, subject, text, remedy));
    }
}
