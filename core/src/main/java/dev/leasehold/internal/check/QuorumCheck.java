package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks each server of a quorum, and the quorum as a whole: how many servers answer, are distinct, and count. */
public final class QuorumCheck {

    private final ClientConfig config;
    private final List<Node> nodes;
    private final QuorumParts parts;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, List<Node>> servers = new HashMap<>();
    private final List<String> young = new ArrayList<>();
    private int counting;
    private int answering;
    private Duration longestWait = Duration.ZERO;

    public QuorumCheck(ClientConfig config, List<Node> nodes, QuorumParts parts) {
        this.config = config;
        this.nodes = nodes;
        this.parts = parts;
    }

    /** Runs the checks at connect: each server separately. */
    public static List<Finding> atConnect(ClientConfig config, List<Node> nodes) {
        List<Finding> all = new ArrayList<>();
        for (Node node : nodes) {
            all.addAll(at(node, config.timeoutOfConnecting(), queries -> new PreflightCheck(queries, config).run()));
        }
        all.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(all);
    }

    /** Runs all checks. */
    public List<Finding> run() {
        ClockCheck clocks = new ClockCheck();
        for (Node node : nodes) {
            String uri = uri(node);
            findings.addAll(at(node, config.commandTimeout(), queries -> {
                List<Finding> seen = new Diagnosis(queries, config, uri, clocks).run();
                join(node, queries);
                return seen;
            }));
        }
        majority();
        distinct();
        markers();
        findings.addAll(ClockSkew.amongQuorumServers(clocks.readings()));
        findings.addAll(ClockSkew.againstHost(clocks.readings()));
        findings.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(findings);
    }

    private interface Check {
        List<Finding> at(ServerQueries queries);
    }

    private static List<Finding> at(Node node, Duration timeout, Check check) {
        Optional<RedisTransport> transport = node.transport();
        if (transport.isEmpty()) {
            return List.of(silent(node, "it was never reached"));
        }
        try {
            return check.at(new ServerQueries(transport.get(), timeout)).stream()
                    .map(one -> new Finding(one.level(), one.subject(), node + ": " + one.text(), one.remedy()))
                    .toList();
        } catch (LockUnavailableException | RedisErrorException e) {
            return List.of(silent(node, String.valueOf(e.getMessage())));
        }
    }

    private static Finding silent(Node node, String why) {
        return new Finding(
                Level.WARNING,
                "node",
                node + ": No answer: " + why + ".",
                "The quorum can spare fewer of the other servers while it is away.");
    }

    /** Asks whether the server counts, with the request that every acquisition sends, too. */
    private void join(Node node, ServerQueries queries) {
        answering++;
        servers.computeIfAbsent(
                        queries.info(null, "server").getOrDefault("run_id", node.toString()), id -> new ArrayList<>())
                .add(node);
        QuorumRequest.Joined joined = queries.await(node.join(queries.timeout().toNanos()));
        switch (joined.code()) {
            case JOINED -> counting++;
            case YOUNG -> {
                Duration left = Duration.ofNanos(joined.leftNanos());
                longestWait = left.compareTo(longestWait) > 0 ? left : longestWait;
                young.add(node + " for " + TimeText.of(left));
            }
            case OTHER, FOREIGN ->
                findings.add(new Finding(
                        Level.DANGER,
                        "marker",
                        node + ": Under the key " + parts.marker() + " is something other than this quorum's marker: "
                                + joined.detail() + ".",
                        "Give all clients the same maxLeaseTime(...), or this quorum a key prefix of its own."));
        }
    }

    private int needed() {
        return nodes.size() / 2 + 1;
    }

    private void majority() {
        int spare = answering - needed();
        String text = answering + " of " + nodes.size() + " servers answer, and " + needed() + " are needed: ";
        if (answering == nodes.size()) {
            add(Level.FINE, "quorum", text + "the quorum can spare " + spare + ".", "");
        } else if (spare >= 0) {
            add(
                    Level.WARNING,
                    "quorum",
                    text + (spare == 0 ? "none of them may fail." : "the quorum can spare only " + spare + " of them."),
                    "Bring the others back.");
        } else {
            add(Level.DANGER, "quorum", text + "no lock can be taken.", "Bring the others back.");
        }
    }

    private void distinct() {
        for (List<Node> same : servers.values()) {
            if (same.size() > 1) {
                add(
                        Level.DANGER,
                        "quorum",
                        "These are one and the same server: " + same + ". It would vote more than once.",
                        "Give independent servers, each once.");
            }
        }
        Map<String, Integer> hosts = new HashMap<>();
        nodes.forEach(node -> hosts.merge(host(node), 1, Integer::sum));
        hosts.forEach((host, count) -> {
            if (count > nodes.size() - needed()) {
                add(
                        Level.WARNING,
                        "quorum",
                        count + " of the " + nodes.size() + " servers are on one host (" + host
                                + "): when that fails the quorum does.",
                        "Put the servers on machines that do not fail together.");
            }
        });
    }

    private @Nullable String uri(Node node) {
        List<String> uris =
                config.quorum() == null ? List.of() : config.quorum().uris();
        return uris.isEmpty() ? null : uris.get(node.index());
    }

    private String host(Node node) {
        String uri = uri(node);
        return uri == null
                ? node.toString()
                : Transports.settings(config, uri)
                        .connectorInfo()
                        .seeds()
                        .get(0)
                        .host();
    }

    private void markers() {
        if (young.isEmpty()) {
            if (counting > 0) {
                add(
                        Level.FINE,
                        "markers",
                        "All " + counting + " servers that answer count: none has forgotten a lock.",
                        "");
            }
            return;
        }
        boolean enough = counting >= needed();
        add(
                enough ? Level.WARNING : Level.DANGER,
                "markers",
                counting + " of " + nodes.size() + " servers count, and " + needed()
                        + " are needed; these may have forgotten locks and do not count yet: "
                        + String.join(", ", young) + (enough ? "." : ". No lock can be taken until then."),
                "Wait for " + TimeText.of(longestWait)
                        + ". A server counts again when the longest lease is over since its first use, its restart, or a deletion "
                        + "of its keys.");
    }

    private void add(Level level, String subject, String text, String remedy) {
        findings.add(new Finding(level, subject, text, remedy));
    }
}
