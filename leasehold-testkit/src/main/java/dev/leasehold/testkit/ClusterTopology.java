package dev.leasehold.testkit;

import java.time.Duration;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What the nodes of an embedded cluster say about it now. Thread-safe; keeps nothing but who is who. */
final class ClusterTopology {

    static final Duration LIMIT = Duration.ofSeconds(30);

    /** Redis gives a failover that was asked for up after 5 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final Map<String, EmbeddedRedis> nodes = new LinkedHashMap<>();

    ClusterTopology(List<EmbeddedRedis> nodes) {
        nodes.forEach(node -> this.nodes.put(String.valueOf(node.command("CLUSTER", "MYID")), node));
    }

    String idOf(EmbeddedRedis node) {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue() == node)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(node + " is not a node of this cluster."));
    }

    /** The node whose claim on the slot has the highest epoch, whether it runs or not. */
    EmbeddedRedis ownerOf(int slot) {
        ClusterSlots.require(slot);
        return latest().stream()
                .filter(line -> line.slots().get(slot))
                .max(Comparator.comparingLong(ClusterNode::epoch))
                .map(line -> nodes.get(line.id()))
                .orElseThrow(() -> new EmbeddedRedisException("No node that answers knows who has slot " + slot + "."));
    }

    boolean isPrimary(EmbeddedRedis node) {
        return about(node).isPrimary();
    }

    List<EmbeddedRedis> replicasOf(EmbeddedRedis primary) {
        String id = idOf(primary);
        return nodes.values().stream()
                .filter(node -> id.equals(about(node).primaryId()))
                .toList();
    }

    /** What the node says of itself if it answers, else what another says of it. */
    private ClusterNode about(EmbeddedRedis node) {
        String id = idOf(node);
        List<ClusterNode> lines = node.isReachable() ? view(node) : latest();
        return lines.stream()
                .filter(line -> line.id().equals(id))
                .max(Comparator.comparingLong(ClusterNode::epoch))
                .orElseThrow(() -> new EmbeddedRedisException("No node that answers knows " + node + "."));
    }

    private List<ClusterNode> latest() {
        return reachable().stream().flatMap(node -> view(node).stream()).toList();
    }

    List<EmbeddedRedis> reachable() {
        return nodes.values().stream().filter(EmbeddedRedis::isReachable).toList();
    }

    private static List<ClusterNode> view(EmbeddedRedis node) {
        return ClusterNode.parse(String.valueOf(node.command("CLUSTER", "NODES")));
    }

    /** Whether all nodes that answer say of every slot that the same node has it. */
    boolean isAgreed() {
        return reachable().stream().map(node -> owners(view(node))).distinct().count() == 1;
    }

    private static Map<String, BitSet> owners(List<ClusterNode> view) {
        Map<String, BitSet> owners = new HashMap<>();
        view.stream().filter(line -> !line.slots().isEmpty()).forEach(line -> owners.put(line.id(), line.slots()));
        return owners;
    }

    /** Whether all nodes that answer are connected with one another, and together know the owner of every slot. */
    boolean isConnected() {
        List<EmbeddedRedis> reachable = reachable();
        Set<String> ids = Set.copyOf(reachable.stream().map(this::idOf).toList());
        return isAgreed()
                && reachable.stream().allMatch(node -> {
                    List<ClusterNode> view = view(node);
                    long sound = view.stream()
                            .filter(line -> ids.contains(line.id()) && line.isSound())
                            .count();
                    return sound == ids.size()
                            && view.stream()
                                            .mapToInt(line -> line.slots().cardinality())
                                            .sum()
                                    == ClusterSlots.COUNT;
                });
    }

    /**
     * Whether, besides, they serve, know which of them replicates which, and the replicas have all data of a primary that
     * answers.
     */
    boolean isHealthy() {
        return isConnected()
                && rolesAreKnown()
                && reachable().stream().allMatch(node -> serves(node) && isCaughtUp(node));
    }

    /** A primary does not vote for one whom it still takes for a primary. Of a node that is gone some may never hear. */
    private boolean rolesAreKnown() {
        List<EmbeddedRedis> reachable = reachable();
        Map<String, String> roles = new HashMap<>();
        reachable.forEach(node -> roles.put(idOf(node), about(node).primaryId()));
        return reachable.stream()
                .flatMap(node -> view(node).stream())
                .allMatch(line -> line.primaryId().equals(roles.getOrDefault(line.id(), line.primaryId())));
    }

    static boolean serves(EmbeddedRedis node) {
        return String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok");
    }

    private boolean isCaughtUp(EmbeddedRedis node) {
        EmbeddedRedis primary = nodes.get(about(node).primaryId());
        return primary == null
                || !primary.isReachable()
                || "up".equals(node.info("replication").get("master_link_status"));
    }

    /** Whether it came true within the time; a node that does not answer at the moment is asked again. */
    static boolean awaited(Duration limit, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < limit.toNanos()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new EmbeddedRedisException("Interrupted while waiting for the cluster.");
            }
            try {
                if (condition.getAsBoolean()) {
                    return true;
                }
            } catch (EmbeddedRedisException notYet) {
                // It may just have been ended, or be loading.
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return false;
    }

    void await(String what, BooleanSupplier condition) {
        if (!awaited(LIMIT, condition)) {
            throw notWithinLimit(what);
        }
    }

    /** Begins anew what the servers give up by themselves, until it has come true. */
    void repeat(String what, Runnable attempt, BooleanSupplier condition) {
        for (long spent = 0; spent < LIMIT.toNanos(); spent += PATIENCE.toNanos()) {
            attempt.run();
            if (awaited(PATIENCE, condition)) {
                return;
            }
        }
        throw notWithinLimit(what);
    }

    private EmbeddedRedisException notWithinLimit(String what) {
        return new EmbeddedRedisException("Not within " + LIMIT.toSeconds() + " s: " + what + ".\n" + describe());
    }

    /** What every node says, for messages. */
    private String describe() {
        StringBuilder text = new StringBuilder();
        nodes.values().forEach(node -> text.append(node).append(":\n").append(say(node)));
        return text.toString();
    }

    private static String say(EmbeddedRedis node) {
        if (!node.isReachable()) {
            return node.isPaused() ? "(paused)\n" : "(not running)\n";
        }
        try {
            return node.command("CLUSTER", "NODES") + "" + node.command("CLUSTER", "INFO");
        } catch (EmbeddedRedisException e) {
            return e.getMessage() + "\n";
        }
    }
}
