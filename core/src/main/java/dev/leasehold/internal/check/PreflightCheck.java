package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.RefusalAdvice;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks servers for conditions that endanger locks, as far as the user's permissions allow. Changes nothing but a
 * probe key.
 */
public final class PreflightCheck {

    private final ServerQueries queries;
    private final ClientConfig config;
    private final List<Finding> findings = new ArrayList<>();
    private final List<RedisNode> answering = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private @Nullable ServerVersion version;

    /** The prefix of findings that names the present node, if there are several nodes. */
    private String nodePrefix = "";

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
        findings.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(findings);
    }

    /** Checks each server that grants locks. */
    void inspect(List<RedisNode> all) {
        List<RedisNode> nodes = lockServers(all);
        if (nodes.size() == 1) {
            sections(nodes.get(0));
            answering.addAll(nodes);
            return;
        }
        Map<RedisNode, String> silent = new AnsweringNodes(queries, TimeSource.system())
                .silent(nodes, config.commandTimeout().toNanos());
        for (RedisNode node : nodes) {
            nodePrefix = node + ": ";
            String failure = silent.get(node);
            if (failure == null) {
                checkNode(node);
            } else {
                noAnswer(failure);
            }
        }
        nodePrefix = "";
    }

    /** Checks that the user may run all scripts, or the commands that replace them, and may publish wake-ups. */
    void probe(List<RedisNode> all) {
        if (config.scriptFree()) {
            new CommandsProbe(queries, config).check(findings);
        } else {
            new RightsProbe(queries, config).check(findings, lockServers(all).size());
            new WakeUpsProbe(queries, config).publish(findings);
        }
    }

    /** Checks that the user may receive wake-ups, which takes a connection for subscriptions. */
    void probeSubscription() {
        if (!config.scriptFree()) {
            new WakeUpsProbe(queries, config).subscribe(findings);
        }
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
    private void checkNode(RedisNode node) {
        try {
            sections(node);
            answering.add(node);
        } catch (LockUnavailableException e) {
            noAnswer(String.valueOf(e.getMessage()));
        }
    }

    private void noAnswer(String failure) {
        add(
                Level.WARNING,
                "node",
                "No answer: " + failure + ".",
                "Locks whose slots it has cannot be taken, and leases on it are lost at their deadline.");
    }

    private void sections(RedisNode node) {
        Map<String, RedisErrorException> refused = new LinkedHashMap<>();
        section(node, "server", this::version, refused);
        section(node, "replication", this::replication, refused);
        section(node, "memory", this::memory, refused);
        section(node, "stats", this::evictions, refused);
        section(node, "persistence", this::persistence, refused);
        if (!refused.isEmpty()) {
            refused(node, refused);
        }
    }

    private void section(
            RedisNode node,
            String name,
            Consumer<Map<String, String>> check,
            Map<String, RedisErrorException> refused) {
        try {
            check.accept(queries.info(node, name));
        } catch (RedisErrorException e) {
            refused.put(name, e);
        }
    }

    private void refused(RedisNode node, Map<String, RedisErrorException> sections) {
        RedisErrorException refusal = sections.values().iterator().next();
        add(
                Level.WARNING,
                "rights",
                "INFO was refused: " + refusal.getMessage() + ". What it says of "
                        + String.join(", ", sections.keySet()) + " is not checked.",
                RefusalAdvice.of(refusal, "Grant +info, so that dangers in the server's settings can be seen."));
        if (sections.containsKey("replication") && !node.primary()) {
            add(Level.DANGER, "role", "This server is a replica: it grants no locks.", "Connect to the primary.");
        }
    }

    private void version(Map<String, String> info) {
        ServerVersion found = ServerVersion.of(info);
        if (version == null) {
            version = found;
        }
        if (found.atLeast(6, 2)) {
            add(Level.FINE, "version", found + ".", "");
        } else {
            add(Level.DANGER, "version", found + " is too old.", "Use Redis 6.2 or Valkey 7.2 or later.");
        }
    }

    private void replication(Map<String, String> info) {
        if (!"master".equals(info.get("role"))) {
            add(
                    Level.DANGER,
                    "role",
                    "This server is a replica of " + info.get("master_host") + ":" + info.get("master_port")
                            + ": it grants no locks.",
                    "Connect to the primary.");
            return;
        }
        String count = info.getOrDefault("connected_slaves", "0");
        List<Replica> known = Replica.of(info);
        replicas.addAll(known);
        if (count.equals("0")) {
            add(Level.FINE, "role", "Primary without replicas: there is no failover that could lose a lock.", "");
        } else {
            add(
                    Level.WARNING,
                    "replicas",
                    "Primary with " + count + (count.equals("1") ? " replica" : " replicas")
                            + ": a failover may lose the latest locks.",
                    "Check fencing tokens at the resource; keep the clocks of all nodes together.");
            known.forEach(each -> findings.addAll(each.findings(nodePrefix)));
        }
    }

    private void memory(Map<String, String> info) {
        String policy = info.getOrDefault("maxmemory_policy", "noeviction");
        boolean limited = !info.getOrDefault("maxmemory", "0").equals("0");
        if (policy.equals("noeviction")) {
            add(Level.FINE, "maxmemory-policy", "noeviction: no lock is ever evicted.", "");
        } else if (limited) {
            add(
                    Level.DANGER,
                    "maxmemory-policy",
                    policy + " with a memory limit: Redis deletes live locks when memory runs short.",
                    "Set maxmemory-policy noeviction, or use a separate server for locks.");
        } else {
            add(
                    Level.WARNING,
                    "maxmemory-policy",
                    policy + ", without a memory limit for now: with one, Redis would delete live locks.",
                    "Set maxmemory-policy noeviction.");
        }
    }

    private void evictions(Map<String, String> info) {
        String evicted = info.getOrDefault("evicted_keys", "0");
        if (!evicted.equals("0")) {
            add(
                    Level.WARNING,
                    "evicted-keys",
                    evicted + " keys were evicted since the server started; locks may have been among them.",
                    "Set maxmemory-policy noeviction and check the memory.");
        }
    }

    private void persistence(Map<String, String> info) {
        if ("1".equals(info.get("aof_enabled"))) {
            add(Level.FINE, "persistence", "Append-only file: locks survive a restart, but for the last second.", "");
        } else {
            add(
                    Level.WARNING,
                    "persistence",
                    "No append-only file: a restart forgets locks that are held, and their holders are notified only at "
                            + "their next renewal.",
                    "Set appendonly yes, or check fencing tokens at the resource.");
        }
        if ("err".equals(info.get("aof_last_write_status")) || "err".equals(info.get("rdb_last_bgsave_status"))) {
            add(
                    Level.DANGER,
                    "persistence",
                    "The server could not write to its disk: until it can, it may refuse all locks (MISCONF).",
                    "Check the server's log, its disk and the permissions there.");
        }
    }

    private void add(Level level, String subject, String text, String remedy) {
        findings.add(new Finding(level, subject, nodePrefix + text, remedy));
    }
}
