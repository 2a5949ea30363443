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

/**
 * The current roles and slots in an embedded cluster, as its nodes report them. Thread-safe; remembers only which
 * node has which id.
 */
final class ClusterTopology {

    static final Duration LIMIT = Duration.ofSeconds(30);

    /** Redis abandons a requested failover after 5 s. */
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

    /** Returns the node whose claim on the slot has the highest epoch, whether it runs or not. */
    EmbeddedRedis ownerOf(int slot) {
        ClusterSlots.require(slot);
        return latest().stream()
                .filter(line -> line.slots().get(slot))
                .max(Comparator.comparingLong(ClusterNode::epoch))
                .map(line -> nodes.get(line.id()))
                .orElseThrow(
                        () -> new EmbeddedRedisException("No node that answers knows the owner of slot " + slot + "."));
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

    /** Returns the node's view of itself if it answers, else another node's view of it. */
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

    /** Returns whether all nodes that answer agree on the owner of every slot. */
    boolean isAgreed() {
        return isAgreed(Set.of());
    }

    /** Returns the same of all slots but some: a node that imports a slot learns of no other owner. */
    boolean isAgreed(Set<Integer> except) {
        return reachable().stream()
                        .map(node -> owners(view(node), except))
                        .distinct()
                        .count()
                == 1;
    }

    private static Map<String, BitSet> owners(List<ClusterNode> view, Set<Integer> except) {
        Map<String, BitSet> owners = new HashMap<>();
        for (ClusterNode line : view) {
            BitSet slots = (BitSet) line.slots().clone();
            except.forEach(slots::clear);
            if (!slots.isEmpty()) {
                owners.put(line.id(), slots);
            }
        }
        return owners;
    }

    /**
     * Returns whether all nodes that answer are connected with one another, and together know the owner of every
     * slot.
     */
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
     * Returns whether, besides, they serve, know which of them replicates which, and the replicas have all data of
     * a primary that answers.
     */
    boolean isHealthy() {
        return isConnected()
                && rolesAreKnown()
                && reachable().stream().allMatch(node -> serves(node) && isCaughtUp(node));
    }

    /**
     * Returns whether the nodes agree on the roles. A primary does not vote for a node that it still considers a
     * primary. Some nodes may never learn of the role of a node that is gone.
     */
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

    /**
     * Waits until the condition holds, and returns whether it did within the time. A node that does not answer at
     * the moment is polled again.
     */
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
                // The node may just have been ended, or be loading.
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

    /** Repeats an attempt, which the servers may abandon, until the condition holds. */
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

    /** Describes every node's view, for messages. */
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
