package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Looks for what endangers locks on a server, as far as the user's rights allow. Changes nothing but a probe key. */
final class PreflightCheck {

    private static final long CLOCK_TOLERANCE_MILLIS = 1000;

    private final ServerQueries queries;
    private final ClientConfig config;
    private final List<Finding> findings = new ArrayList<>();
    /** The node that is looked at, where there are several. */
    private String where = "";

    PreflightCheck(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
    }

    List<Finding> run() {
        List<RedisNode> nodes = takingLocks(queries.describe().nodes());
        for (RedisNode node : nodes) {
            if (nodes.size() == 1) {
                sections(node);
            } else {
                oneOfMany(node);
            }
        }
        where = "";
        clock();
        if (config.scriptFree()) {
            new CommandsProbe(queries, config).check(findings);
        } else {
            new RightsProbe(queries, config).check(findings, nodes.size());
        }
        findings.sort(Comparator.comparing(Finding::level).reversed());
        return List.copyOf(findings);
    }

    /** The primaries; a replica only if it is all there is, for then it is taken for one. */
    private static List<RedisNode> takingLocks(List<RedisNode> nodes) {
        List<RedisNode> primaries = nodes.stream().filter(RedisNode::primary).toList();
        return primaries.isEmpty() ? nodes : primaries;
    }

    /** One node that does not answer costs its own locks, and not the connection to the others. */
    private void oneOfMany(RedisNode node) {
        where = node + ": ";
        try {
            sections(node);
        } catch (LockUnavailableException e) {
            add(
                    Level.WARNING,
                    "node",
                    "No answer: " + e.getMessage() + ".",
                    "Locks whose slots it has cannot be taken, and leases on it are lost at their deadline.");
        }
    }

    private void sections(RedisNode node) {
        section(node, "server", this::version);
        section(node, "replication", this::replication);
        section(node, "memory", this::memory);
        section(node, "stats", this::evictions);
        section(node, "persistence", this::persistence);
    }

    private void section(RedisNode node, String name, Consumer<Map<String, String>> check) {
        try {
            check.accept(queries.info(node, name));
        } catch (RedisErrorException e) {
            add(
                    Level.WARNING,
                    "rights",
                    "INFO " + name + " was refused: " + e.getMessage() + ".",
                    "Grant +info, so that dangers in the server's settings can be seen.");
        }
    }

    private void version(Map<String, String> info) {
        String version = info.getOrDefault("valkey_version", info.getOrDefault("redis_version", "0"));
        String product = info.containsKey("valkey_version") ? "Valkey" : "Redis";
        if (olderThan62(info.getOrDefault("redis_version", "0"))) {
            add(
                    Level.DANGER,
                    "version",
                    product + " " + version + " is too old.",
                    "Use Redis 6.2 or Valkey 7.2 or later.");
        } else {
            add(Level.FINE, "version", product + " " + version + ".", "");
        }
    }

    private static boolean olderThan62(String version) {
        String[] parts = version.split("\\.", -1);
        int major = number(parts[0]);
        int minor = parts.length > 1 ? number(parts[1]) : 0;
        return major < 6 || (major == 6 && minor < 2);
    }

    private static int number(String text) {
        return text.chars().allMatch(Character::isDigit) && !text.isEmpty() ? Integer.parseInt(text) : 0;
    }

    private void replication(Map<String, String> info) {
        if (!"master".equals(info.get("role"))) {
            add(Level.DANGER, "role", "This server is a replica: it takes no locks.", "Connect to the primary.");
            return;
        }
        String replicas = info.getOrDefault("connected_slaves", "0");
        if (replicas.equals("0")) {
            add(Level.FINE, "role", "Primary without replicas: there is no failover that could lose a lock.", "");
        } else {
            add(
                    Level.WARNING,
                    "replicas",
                    "Primary with " + replicas + " replicas: a failover may lose the latest locks.",
                    "Check fencing tokens at the resource; keep the clocks of all nodes together.");
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
                    "Set maxmemory-policy noeviction, or give locks a server of their own.");
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
                    "Set maxmemory-policy noeviction and look at the memory.");
        }
    }

    private void persistence(Map<String, String> info) {
        if ("1".equals(info.get("aof_enabled"))) {
            add(Level.FINE, "persistence", "Append-only file: locks survive a restart, but for the last second.", "");
        } else {
            add(
                    Level.WARNING,
                    "persistence",
                    "No append-only file: a restart forgets locks that are held, and their holders are told only at "
                            + "their next renewal.",
                    "Set appendonly yes, or check fencing tokens at the resource.");
        }
    }

    private void clock() {
        TimeSource local = new SystemTime();
        ServerQueries.TimeSample sample = queries.time(local);
        long ahead = sample.time().micros() / 1000 - local.wallMillis();
        if (Math.abs(ahead) > CLOCK_TOLERANCE_MILLIS) {
            add(
                    Level.WARNING,
                    "clock",
                    "The clocks of Redis and of this host differ by " + Math.abs(ahead)
                            + " ms. Leases do not depend on it, but people who compare logs do.",
                    "Keep both synchronized.");
        } else {
            add(Level.FINE, "clock", "The clocks of Redis and of this host agree within a second.", "");
        }
    }

    private void add(Level level, String subject, String text, String remedy) {
        findings.add(new Finding(level, subject, where + text, remedy));
    }
}
