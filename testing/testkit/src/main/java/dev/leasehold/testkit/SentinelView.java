package dev.leasehold.testkit;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The current roles in an embedded group, as its sentinels and servers report them. Thread-safe; remembers only
 * which address belongs to which server.
 */
final class SentinelView {

    private static final int ATTEMPTS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final List<EmbeddedRedis> nodes;
    private final List<EmbeddedRedis> sentinels;

    SentinelView(String name, List<EmbeddedRedis> nodes, List<EmbeddedRedis> sentinels) {
        this.name = name;
        this.nodes = List.copyOf(nodes);
        this.sentinels = List.copyOf(sentinels);
    }

    private static List<EmbeddedRedis> reachable(List<EmbeddedRedis> all) {
        return all.stream().filter(EmbeddedRedis::isReachable).toList();
    }

    /** Returns a sentinel that answers. */
    EmbeddedRedis anySentinel() {
        return reachable(sentinels).stream()
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No sentinel answers: resume or restart one."));
    }

    /** Returns the server that this sentinel names to clients. */
    private EmbeddedRedis namedBy(EmbeddedRedis sentinel) {
        List<?> address = list(sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name));
        int port = Integer.parseInt(String.valueOf(address.get(1)));
        return nodes.stream()
                .filter(node -> node.port() == port)
                .findFirst()
                .orElseThrow(() -> new EmbeddedRedisException(sentinel + " names port " + port + " as the primary."));
    }

    /** Returns the server that most of the answering sentinels name. */
    EmbeddedRedis primary() {
        Map<EmbeddedRedis, Integer> votes = new LinkedHashMap<>();
        reachable(sentinels).forEach(sentinel -> votes.merge(namedBy(sentinel), 1, Integer::sum));
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElseThrow(() -> new EmbeddedRedisException("No sentinel answers."));
    }

    /** Returns whether all answering sentinels name this server, and it accepts writes. */
    boolean isServing(EmbeddedRedis node) {
        return node.isReachable()
                && isPrimary(node)
                && reachable(sentinels).stream().allMatch(sentinel -> namedBy(sentinel) == node);
    }

    /** Returns the server that has replaced this one, if one serves. */
    Optional<EmbeddedRedis> successorOf(EmbeddedRedis former) {
        EmbeddedRedis now = primary();
        return now != former && isServing(now) ? Optional.of(now) : Optional.empty();
    }

    private static boolean isPrimary(EmbeddedRedis node) {
        return "master".equals(node.info("replication").get("role"));
    }

    private static boolean isReplicaOf(EmbeddedRedis node, EmbeddedRedis primary) {
        Map<String, String> replication = node.info("replication");
        return "slave".equals(replication.get("role"))
                && Integer.toString(primary.port()).equals(replication.get("master_port"))
                && "up".equals(replication.get("master_link_status"));
    }

    /** Returns whether every other running server has all data of this one. */
    boolean isFollowed(EmbeddedRedis primary) {
        return reachable(nodes).stream().allMatch(node -> node == primary || isReplicaOf(node, primary));
    }

    /** Returns whether all sentinels see all running servers as running, and each has its role. */
    boolean isHealthy() {
        EmbeddedRedis primary = primary();
        return isServing(primary)
                && isFollowed(primary)
                && reachable(sentinels).stream().allMatch(sentinel -> seesAllBy(sentinel, primary));
    }

    private boolean seesAllBy(EmbeddedRedis sentinel, EmbeddedRedis primary) {
        List<Map<String, String>> replicas = rows(sentinel.command("SENTINEL", "REPLICAS", name));
        List<Map<String, String>> others = rows(sentinel.command("SENTINEL", "SENTINELS", name));
        Map<String, String> master = row(sentinel.command("SENTINEL", "MASTER", name));
        return "master".equals(master.get("flags"))
                && reachable(nodes).stream()
                        .filter(node -> node != primary)
                        .allMatch(node -> isSound(replicas, node, "slave")
                                && "ok".equals(rowOf(replicas, node).get("master-link-status")))
                && reachable(sentinels).stream()
                        .filter(other -> other != sentinel)
                        .allMatch(other -> isSound(others, other, "sentinel"));
    }

    private static boolean isSound(List<Map<String, String>> rows, EmbeddedRedis node, String kind) {
        return isSound(rowOf(rows, node).getOrDefault("flags", ""), kind);
    }

    /**
     * Returns whether the flags show no doubt in a node of this kind; any other flag is one. What another sentinel last said of the
     * primary is no doubt in that sentinel: Valkey 9.1 keeps it after a failover, and every sentinel is asked itself.
     */
    static boolean isSound(String flags, String kind) {
        return flags.replace(",master_down", "").equals(kind);
    }

    private static Map<String, String> rowOf(List<Map<String, String>> rows, EmbeddedRedis node) {
        String port = Integer.toString(node.port());
        return rows.stream()
                .filter(row -> port.equals(row.get("port")))
                .findFirst()
                .orElse(Map.of());
    }

    private static List<Map<String, String>> rows(@Nullable Object answer) {
        return list(answer).stream().map(SentinelView::row).toList();
    }

    private static Map<String, String> row(@Nullable Object answer) {
        List<?> words = list(answer);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            fields.put(String.valueOf(words.get(i)), String.valueOf(words.get(i + 1)));
        }
        return fields;
    }

    private static List<?> list(@Nullable Object answer) {
        return (List<?>) Objects.requireNonNull(answer, "an answer of a sentinel");
    }

    /** Repeats an attempt, which sentinels may abandon, until the condition holds. */
    void repeat(String what, Runnable attempt, BooleanSupplier condition) {
        for (int i = 0; i < ATTEMPTS; i++) {
            attempt.run();
            if (ClusterTopology.awaited(PATIENCE, condition)) {
                return;
            }
        }
        throw notWithin(PATIENCE.multipliedBy(ATTEMPTS), what);
    }

    void await(String what, BooleanSupplier condition) {
        if (!ClusterTopology.awaited(ClusterTopology.LIMIT, condition)) {
            throw notWithin(ClusterTopology.LIMIT, what);
        }
    }

    private EmbeddedRedisException notWithin(Duration limit, String what) {
        return new EmbeddedRedisException("Not within " + limit.toSeconds() + " s: " + what + ".\n" + describe());
    }

    /** Describes the view of every sentinel and server, for messages. */
    private String describe() {
        StringBuilder text = new StringBuilder();
        nodes.forEach(node -> text.append(node).append(": ").append(say(node, "ROLE")));
        sentinels.forEach(sentinel -> text.append(sentinel)
                .append(": ")
                .append(say(sentinel, "SENTINEL", "MASTER", name))
                .append(say(sentinel, "SENTINEL", "REPLICAS", name)));
        return text.toString();
    }

    private static String say(EmbeddedRedis server, String... command) {
        if (!server.isReachable()) {
            return server.isPaused() ? "(paused)\n" : "(not running)\n";
        }
        try {
            return server.command(command) + "\n";
        } catch (EmbeddedRedisException e) {
            return e.getMessage() + "\n";
        }
    }
}
