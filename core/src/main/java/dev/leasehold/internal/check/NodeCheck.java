package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Checks one server that grants locks, by what it says of itself in INFO. */
final class NodeCheck {

    private final ServerQueries queries;
    private final RedisNode node;
    private final List<String> hosts;
    private final String prefix;
    private final List<Finding> findings = new ArrayList<>();
    private final List<Replica> replicas = new ArrayList<>();
    private @Nullable ServerVersion version;
    private ServerKind kind;

    /**
     * Creates the check without running it.
     *
     * @param hosts the names by which the server is reached
     * @param prefix begins each finding; empty, or the name of the node if there are several
     */
    NodeCheck(ServerQueries queries, RedisNode node, List<String> hosts, String prefix) {
        this.queries = queries;
        this.node = node;
        this.hosts = hosts;
        this.prefix = prefix;
        kind = ServerKind.of(hosts, Map.of());
    }

    List<Finding> run() {
        Map<String, RedisErrorException> refused = new LinkedHashMap<>();
        section("server", this::server, refused);
        section("replication", this::replication, refused);
        section("memory", this::memory, refused);
        section("stats", this::evictions, refused);
        section("persistence", this::persistence, refused);
        if (kind.mayBeActiveActive()) {
            activeActive(refused);
        }
        if (!refused.isEmpty()) {
            refused(refused);
        }
        return findings;
    }

    /** Returns its kind, as far as it is known. */
    ServerKind kind() {
        return kind;
    }

    /** Returns its version, if it reported one. */
    @Nullable
    ServerVersion version() {
        return version;
    }

    List<Replica> replicas() {
        return replicas;
    }

    private void section(String name, Consumer<Map<String, String>> check, Map<String, RedisErrorException> refused) {
        try {
            check.accept(queries.info(node, name));
        } catch (RedisErrorException e) {
            refused.put(name, e);
        }
    }

    private void refused(Map<String, RedisErrorException> sections) {
        RedisErrorException refusal = sections.values().iterator().next();
        add(
                Level.WARNING,
                "rights",
                "INFO was refused: " + refusal.getMessage() + ". What it says of "
                        + String.join(", ", sections.keySet()) + " is not checked.",
                RefusalAdvice.of(refusal, "Grant +info, so that dangers in the server's settings can be seen") + ".");
        if (sections.containsKey("replication") && !node.primary()) {
            add(Level.DANGER, "role", "This server is a replica: it grants no locks.", "Connect to the primary.");
        }
    }

    private void server(Map<String, String> info) {
        kind = ServerKind.of(hosts, info);
        version = ServerVersion.of(info);
        if (version.atLeast(6, 2)) {
            add(Level.FINE, "version", version + ".", "");
        } else {
            add(Level.DANGER, "version", version + " is too old.", "Use Redis 6.2 or Valkey 7.2 or later.");
        }
    }

    private void replication(Map<String, String> info) {
        String role = info.getOrDefault("role", "master");
        if (role.equals("active-replica") || (kind == ServerKind.KEYDB && activeReplica())) {
            add(
                    Level.DANGER,
                    PreflightCheck.NEVER_SAFE,
                    "This server is an active replica of KeyDB: it and its peers take writes at the same time, so that each "
                            + "grants the same lock.",
                    "Use a KeyDB without active-replica and multi-master, or another server.");
        } else if (!role.equals("master")) {
            add(
                    Level.DANGER,
                    "role",
                    "This server is a replica of " + info.get("master_host") + ":" + info.get("master_port")
                            + ": it grants no locks.",
                    "Connect to the primary.");
        } else {
            replicas(info);
        }
    }

    /** Returns whether KeyDB is configured so, even if no peer is connected. */
    private boolean activeReplica() {
        try {
            return queries.command(node, List.of("CONFIG", "GET", "active-replica")) instanceof List<?> setting
                    && setting.contains("yes");
        } catch (RedisErrorException e) {
            // Only its role tells then.
            return false;
        }
    }

    private void replicas(Map<String, String> info) {
        String count = info.get("connected_slaves");
        replicas.addAll(Replica.of(info));
        if (count == null) {
            add(
                    Level.WARNING,
                    "replicas",
                    "INFO does not say whether there are replicas: if there are, a failover may lose the latest locks.",
                    "Check fencing tokens at the resource.");
        } else if (count.equals("0")) {
            add(Level.FINE, "role", "Primary without replicas: there is no failover that could lose a lock.", "");
        } else if (kind.durable()) {
            add(
                    Level.FINE,
                    "role",
                    "Primary with " + plural(count) + ", of which none becomes the primary without all writes.",
                    "");
        } else {
            add(
                    Level.WARNING,
                    "replicas",
                    "Primary with " + plural(count) + ": a failover may lose the latest locks.",
                    "Check fencing tokens at the resource; keep the clocks of all nodes together.");
            replicas.forEach(each -> findings.addAll(each.findings(prefix)));
        }
    }

    private static String plural(String count) {
        return count + (count.equals("1") ? " replica" : " replicas");
    }

    private void memory(Map<String, String> info) {
        String policy = info.get("maxmemory_policy");
        boolean limited = !info.getOrDefault("maxmemory", "0").equals("0");
        if (policy == null) {
            add(
                    Level.WARNING,
                    "maxmemory-policy",
                    "INFO does not name the eviction policy: a server that evicts keys may delete live locks.",
                    "See in the settings of the server or service that it evicts nothing.");
        } else if (policy.equals("noeviction")) {
            add(Level.FINE, "maxmemory-policy", "noeviction: no lock is ever evicted.", "");
        } else if (limited) {
            add(
                    Level.DANGER,
                    "maxmemory-policy",
                    policy
                            + " with a memory limit: Redis deletes live locks when memory runs short, because each has an "
                            + "expiry.",
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
        String enabled = info.get("aof_enabled");
        if (kind.durable()) {
            add(Level.FINE, "persistence", "A log in several availability zones: locks survive a restart.", "");
        } else if (enabled == null) {
            add(
                    Level.WARNING,
                    "persistence",
                    "INFO does not say whether locks survive a restart.",
                    "Check fencing tokens at the resource.");
        } else if (enabled.equals("1")) {
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

    /** A section of INFO has a line of the same name for each module, so it is no map. */
    private void activeActive(Map<String, RedisErrorException> refused) {
        try {
            String modules = String.valueOf(queries.command(node, List.of("INFO", "modules")));
            if (modules.contains("name=crdt")) {
                add(
                        Level.DANGER,
                        PreflightCheck.NEVER_SAFE,
                        "This database is Active-Active: each region takes writes and merges those of the others later, so that "
                                + "each grants the same lock.",
                        "Use a database of one region.");
            }
        } catch (RedisErrorException e) {
            refused.put("modules", e);
        }
    }

    private void add(Level level, String subject, String text, String remedy) {
        findings.add(new Finding(level, subject, prefix + text, remedy));
    }
}
