package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.key.Slots;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The owners of the slots, as one node of a cluster sees them: the reply to {@code CLUSTER Slots.COUNT}, which servers of all
 * versions know. A view may be stale; it is a hint, and MOVED has the last word.
 *
 * @param ranges in the order of their slots
 */
record ClusterView(List<Range> ranges) {

    private static final String UNKNOWN = "?";

    /**
     * Neighbouring slots.
     *
     * @param first the first slot
     * @param last the last one
     * @param primary the owner
     * @param replicas the owner's replicas
     */
    record Range(int first, int last, RedisAddress primary, List<RedisAddress> replicas) {}

    /**
     * Reads the reply.
     *
     * @param reply what the node answered
     * @param asked the host under which it was asked, which it leaves out if it does not know it
     * @throws RedisErrorException if that is no such reply
     */
    static ClusterView parse(@Nullable Object reply, String asked) {
        try {
            List<Range> ranges = new ArrayList<>();
            for (Object each : list(reply)) {
                List<?> range = list(each);
                List<RedisAddress> nodes = nodes(range.subList(2, range.size()), asked);
                if (!nodes.isEmpty()) {
                    ranges.add(new Range(
                            slot(range.get(0)), slot(range.get(1)), nodes.get(0), nodes.subList(1, nodes.size())));
                }
            }
            return new ClusterView(List.copyOf(ranges));
        } catch (ClassCastException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new RedisErrorException("ERR the reply to CLUSTER Slots.COUNT is not understood");
        }
    }

    /** Returns the primary first; none if no address of it is known. */
    private static List<RedisAddress> nodes(List<?> described, String asked) {
        List<RedisAddress> nodes = new ArrayList<>();
        for (Object each : described) {
            List<?> node = list(each);
            String host = node.get(0) == null ? "" : String.valueOf(node.get(0));
            if (!host.equals(UNKNOWN)) {
                nodes.add(new RedisAddress(host.isEmpty() ? asked : host, number(node.get(1))));
            } else if (nodes.isEmpty()) {
                return List.of();
            }
        }
        return nodes;
    }

    private static List<?> list(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new ClassCastException();
    }

    private static int slot(@Nullable Object value) {
        return Objects.checkIndex(number(value), Slots.COUNT);
    }

    private static int number(@Nullable Object value) {
        return Integer.parseInt(String.valueOf(value));
    }

    Set<RedisAddress> primaries() {
        Set<RedisAddress> found = new LinkedHashSet<>();
        ranges.forEach(range -> found.add(range.primary()));
        return found;
    }

    /** All nodes, primaries first. */
    Set<RedisAddress> all() {
        Set<RedisAddress> found = primaries();
        ranges.forEach(range -> found.addAll(range.replicas()));
        return found;
    }

    /** All nodes as the port has them, primaries first. */
    List<RedisNode> nodes() {
        Set<RedisAddress> primaries = primaries();
        return all().stream()
                .map(each -> new RedisNode(each.host(), each.port(), primaries.contains(each)))
                .toList();
    }
}
