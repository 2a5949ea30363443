package dev.leasehold.chaos.check;

import java.util.Locale;
import java.util.Set;

/**
 * What docs/guarantees.md promises for one topology and durability: which faults void the exclusion of holds, section 3
 * there. Whatever is not named here must not matter.
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

    /** Whether holds may be lost by a fault of this kind, of which one happens at a time. */
    boolean losesHolds(String kind) {
        return switch (topology.toLowerCase(Locale.ROOT)) {
            // A minority of the servers, with all that they knew, costs no exclusion, "as long as no lease has lost as
            // many before": the faults of a run strike one server in the longest lease.
            case "quorum" -> false;
            // "replicas(all)": a fail-over to one of those n loses no such hold.
            case "sentinel" ->
                DELETES.contains(kind)
                        || (!durability.equals("replicas") && FAILS_OVER.contains(kind))
                        || STEPS.contains(kind);
            case "cluster" ->
                DELETES.contains(kind)
                        // It comes back without data before a replica takes its place.
                        || kind.equals("server-kill")
                        || (!durability.equals("replicas") && FAILS_OVER.contains(kind))
                        || STEPS.contains(kind);
            default ->
                DELETES.contains(kind)
                        || STEPS.contains(kind)
                        // What a restart forgets without any persistence: everything.
                        || (kind.equals("server-kill") && durability.equals("none"));
        };
    }

    /** Whether a fault of this kind removes every hold at once, so that each holder is told at its next renewal. */
    boolean removesAll(String kind) {
        return topology.equals("standalone") && kind.equals("flushall");
    }

    /** Whether a clock that is behind makes tokens fall after data were lost: section 4. */
    static boolean putsClockBack(String kind) {
        return kind.equals("clock-back");
    }
}
