package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that every slot of a cluster has a primary, that all nodes agree on it, and that the cluster serves requests.
 */
final class ClusterCheck {

    private static final int MIN_PRIMARIES = 3;

    /** The first slot, the last slot and the primary. */
    private static final int RANGE_WITHOUT_REPLICAS = 3;

    private final ServerQueries queries;
    private final List<Finding> findings = new ArrayList<>();
    private @Nullable String @Nullable [] owners;

    ClusterCheck(ServerQueries queries) {
        this.queries = queries;
    }

    /**
     * Runs the check.
     *
     * @param answering the primaries that answer
     * @param all the primaries that should answer
     * @param replicas the number of all replicas
     */
    List<Finding> run(List<RedisNode> answering, List<RedisNode> all, int replicas) {
        int primaries = all.size();
        List<RedisNode> silent =
                all.stream().filter(node -> !answering.contains(node)).toList();
        for (RedisNode node : answering) {
            try {
                slots(node, silent);
                state(node);
            } catch (LockUnavailableException e) {
                add(
                        Level.WARNING,
                        node + " does not answer any more: " + e.getMessage() + ".",
                        "Check its log and its load.");
            }
        }
        if (primaries < MIN_PRIMARIES && replicas > 0) {
            add(
                    Level.WARNING,
                    "With " + primaries + (primaries == 1 ? " primary" : " primaries")
                            + " no majority is left to elect a replica when one dies.",
                    "Have three primaries or more.");
        }
        if (findings.isEmpty() && silent.isEmpty()) {
            add(
                    Level.FINE,
                    "All " + LockKey.SLOTS + " slots are served by " + primaries + " primaries with " + replicas
                            + " replicas, and the nodes agree.",
                    "");
        }
        return findings;
    }

    private void slots(RedisNode node, List<RedisNode> silent) {
        List<?> ranges = ServerQueries.list(queries.command(node, List.of("CLUSTER", "SLOTS")));
        if (owners == null) {
            silent.forEach(primary -> irreplaceable(primary, ranges));
        }
        @Nullable String[] seen = owners(ranges);
        int uncovered = 0;
        int first = 0;
        int others = 0;
        for (int slot = LockKey.SLOTS - 1; slot >= 0; slot--) {
            if (seen[slot] == null) {
                uncovered++;
                first = slot;
            }
            if (owners != null && owners[slot] != null && seen[slot] != null && !owners[slot].equals(seen[slot])) {
                others++;
            }
        }
        if (uncovered > 0) {
            add(
                    Level.DANGER,
                    "According to " + node + ", " + uncovered + " of " + LockKey.SLOTS
                            + " slots have no primary, the first is " + first
                            + ": locks whose keys lie there cannot be taken.",
                    "Bring their primary back, or give the slots to another (redis-cli --cluster fix).");
        }
        if (others > 0) {
            add(
                    Level.WARNING,
                    node + " sees other primaries of " + others + " slots than the nodes before.",
                    "Wait, if slots are being moved; otherwise check whether the nodes reach one another.");
        }
        if (owners == null) {
            owners = seen;
        }
    }

    /** Reports a primary that does not answer if it has slots and no replica that could take them over. */
    private void irreplaceable(RedisNode primary, List<?> ranges) {
        int slots = 0;
        for (Object each : ranges) {
            List<?> range = ServerQueries.list(each);
            List<?> owner = ServerQueries.list(range.get(2));
            if (!primary.toString().equals(owner.get(0) + ":" + owner.get(1))) {
                continue;
            }
            if (range.size() > RANGE_WITHOUT_REPLICAS) {
                return;
            }
            slots +=
                    Integer.parseInt(String.valueOf(range.get(1))) - Integer.parseInt(String.valueOf(range.get(0))) + 1;
        }
        if (slots > 0) {
            add(
                    Level.DANGER,
                    "The primary " + primary + " does not answer and has no replica: locks of its " + slots + " of "
                            + LockKey.SLOTS + " slots cannot be taken, and leases on it are lost at their deadline.",
                    "Bring it back, and give each primary a replica.");
        }
    }

    /** Returns the id of each slot's primary, or its address if it has no id. */
    private static @Nullable String[] owners(List<?> ranges) {
        @Nullable String[] owners = new @Nullable String[LockKey.SLOTS];
        for (Object each : ranges) {
            List<?> range = ServerQueries.list(each);
            List<?> primary = ServerQueries.list(range.get(2));
            int last = Integer.parseInt(String.valueOf(range.get(1)));
            for (int slot = Integer.parseInt(String.valueOf(range.get(0))); slot <= last; slot++) {
                owners[slot] =
                        primary.size() > 2 ? String.valueOf(primary.get(2)) : primary.get(0) + ":" + primary.get(1);
            }
        }
        return owners;
    }

    /** CLUSTER INFO needs a permission that no lock needs; without it, only the slots are checked. */
    private void state(RedisNode node) {
        Object info;
        try {
            info = queries.command(node, List.of("CLUSTER", "INFO"));
        } catch (RedisErrorException e) {
            return;
        }
        if (String.valueOf(info).contains("cluster_state:fail")) {
            add(
                    Level.DANGER,
                    node + " reports cluster_state:fail: it grants no locks.",
                    "See that every slot has a primary that answers, and that most primaries reach one another.");
        }
    }

    private void add(Level level, String text, String remedy) {
        findings.add(new Finding(level, "cluster", text, remedy));
    }
}
