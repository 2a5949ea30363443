package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks servers for conditions that endanger locks, as far as the user's permissions allow. Changes nothing but a
 * probe key.
 */
public final class PreflightCheck {

    /** The subject of a finding that no lock is exclusive on this server, whatever its settings; nothing else has it. */
    static final String NEVER_SAFE = "exclusion";

    private final ServerQueries queries;
    private final ClientConfig config;
    private final List<Finding> findings = new ArrayList<>();
    private final List<RedisNode> answering = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private final Set<ServerKind> kinds = EnumSet.noneOf(ServerKind.class);
    private @Nullable ServerVersion version;

    public PreflightCheck(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
    }

    /** Runs the checks before the first use: those of the servers that grant locks. */
    public List<Finding> run() {
        List<RedisNode> nodes = queries.describe().nodes();
        inspect(nodes);
        ClockCheck clocks = new ClockCheck();
        clocks.read(queries, null, "the server", 1);
        findings.addAll(ClockSkew.againstHost(clocks.readings()));
        probe(nodes);
        if (kinds.stream().anyMatch(ServerKind::mayRunScriptsInParts)) {
            probeAtomicity(nodes);
        }
        findings.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(findings);
    }

    /** Checks each server that grants locks. */
    void inspect(List<RedisNode> all) {
        List<RedisNode> nodes = lockServers(all);
        if (nodes.size() == 1) {
            check(nodes.get(0), "");
        } else {
            checkAll(nodes);
        }
        kinds.forEach(kind -> findings.addAll(kind.findings()));
    }

    private void checkAll(List<RedisNode> nodes) {
        Map<RedisNode, String> silent = new AnsweringNodes(queries, TimeSource.system())
                .silent(nodes, config.commandTimeout().toNanos());
        for (RedisNode node : nodes) {
            String failure = silent.get(node);
            if (failure == null) {
                checkOneOfMany(node);
            } else {
                noAnswer(node, failure);
            }
        }
    }

    /** Checks that the user may run all scripts, and may publish wake-ups. */
    void probe(List<RedisNode> all) {
        new RightsProbe(queries, config).check(findings, lockServers(all).size());
        new WakeUpsProbe(queries, config).publish(findings);
    }

    /** Checks that the user may receive wake-ups, which takes a connection for subscriptions. */
    void probeSubscription() {
        new WakeUpsProbe(queries, config).subscribe(findings);
    }

    /** Checks that scripts are atomic, which takes some round trips. */
    void probeAtomicity(List<RedisNode> all) {
        int nodes = lockServers(all).size();
        new AtomicityProbe(queries).check(findings, () -> new RightsProbe(queries, config).answeringKey(nodes));
    }

    /** Returns whether a finding is that no lock works on this server: none is exclusive, or no script may run. */
    public static boolean forbidsLocks(Finding finding) {
        return neverSafe(finding) || finding.subject().equals(RightsProbe.NO_SCRIPTS);
    }

    /** Returns whether a finding is that no lock is exclusive on this server, whatever its settings. */
    public static boolean neverSafe(Finding finding) {
        return finding.subject().equals(NEVER_SAFE);
    }

    /** Returns whether one of these findings is that Redis refuses wake-ups. */
    public static boolean refusesWakeUps(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.subject().equals(WakeUpsProbe.SUBJECT));
    }

    /** Returns the findings so far. */
    List<Finding> findings() {
        return findings;
    }

    /** Returns the servers that were checked and answered. */
    List<RedisNode> answering() {
        return answering;
    }

    /** Returns the replicas of these servers. */
    List<Replica> replicas() {
        return replicas;
    }

    /** Returns the version of the first server that reported one. */
    @Nullable
    ServerVersion version() {
        return version;
    }

    /** Returns the primaries; if there are none, all nodes, because the client uses such a replica as its primary. */
    private static List<RedisNode> lockServers(List<RedisNode> nodes) {
        List<RedisNode> primaries = nodes.stream().filter(RedisNode::primary).toList();
        return primaries.isEmpty() ? nodes : primaries;
    }

    /**
     * Checks one of several nodes: one that does not answer affects its own locks, and must not prevent the connection
     * to others.
     */
    private void checkOneOfMany(RedisNode node) {
        try {
            check(node, node + ": ");
        } catch (LockUnavailableException e) {
            noAnswer(node, String.valueOf(e.getMessage()));
        }
    }

    private void check(RedisNode node, String prefix) {
        NodeCheck check = new NodeCheck(queries, node, hosts(node), prefix);
        findings.addAll(check.run());
        answering.add(node);
        replicas.addAll(check.replicas());
        kinds.add(check.kind());
        if (version == null) {
            version = check.version();
        }
    }

    /** Returns the names that the client has for a node: a cluster calls its nodes otherwise than the URI does. */
    private List<String> hosts(RedisNode node) {
        String text = config.uri();
        if (text == null) {
            return List.of(node.host());
        }
        ConnectionSettings settings = Transports.settings(config, text);
        Stream<String> hosts = settings.connectorInfo().seeds().stream().map(RedisAddress::host);
        return Stream.concat(Stream.of(node.host()), hosts).toList();
    }

    private void noAnswer(RedisNode node, String failure) {
        findings.add(new Finding(
                Level.WARNING,
                "node",
                node + ": No answer: " + failure + ".",
                "Locks whose slots it has cannot be taken, and leases on it are lost at their deadline."));
    }
}
