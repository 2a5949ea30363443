package dev.leasehold.chaos.check;

import java.util.Locale;
import java.util.Set;

/**
 * The promises of docs/guarantees.md, section 3, for one topology and durability: the faults that void the
 * exclusion of holds. A fault that is not named here must have no effect.
 *
 * @param topology standalone, sentinel, cluster or quorum
 * @param durability none, aof or replicas
 */
public record Level(String topology, String durability) {

    /** "FLUSHALL, FLUSHDB, DEL, SWAPDB, an old dump and eviction are the same" as a restart without data: without C-1. */
    private static final Set<String> DELETES = Set.of("flushall", "evict", "restart-empty", "aof-cut");
    /** "Replication is asynchronous. A failover can lose the last holds." */
    private static final Set<String> FAILS_OVER =
            Set.of("fail-over", "fail-over-forced", "server-kill", "server-stop", "partition", "split");
    /** "A step forward of Redis' clock ends holds early in Redis": without C-2. */
    private static final Set<String> STEPS = Set.of("clock-forward");

    /** Returns whether a fault of this kind may lose holds; one such fault happens at a time. */
    public boolean losesHolds(String kind) {
        return switch (topology.toLowerCase(Locale.ROOT)) {
            // A minority of the servers, with all their data, costs no exclusion, "as long as no lease has lost as
            // many before": the faults of a run affect one server in the longest lease.
            case "quorum" -> false;
            // "replicas(all)": a failover to one of those n loses no such hold.
            case "sentinel" ->
                DELETES.contains(kind)
                        || (!durability.equals("replicas") && FAILS_OVER.contains(kind))
                        || STEPS.contains(kind);
            case "cluster" ->
                DELETES.contains(kind)
                        // It restarts without data before a replica replaces it.
                        || kind.equals("server-kill")
                        || (!durability.equals("replicas") && FAILS_OVER.contains(kind))
                        || STEPS.contains(kind);
            default ->
                DELETES.contains(kind)
                        || STEPS.contains(kind)
                        // Without any persistence a restart loses everything.
                        || (kind.equals("server-kill") && durability.equals("none"));
        };
    }

    /**
     * Returns whether a fault of this kind removes every hold at once, so that each holder is notified at its next
     * renewal.
     */
    boolean removesAll(String kind) {
        return topology.equals("standalone") && kind.equals("flushall");
    }

    /** Returns whether a clock that is behind makes tokens fall after data were lost: section 4. */
    static boolean putsClockBack(String kind) {
        return kind.equals("clock-back");
    }
}
