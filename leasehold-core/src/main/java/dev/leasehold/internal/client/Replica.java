package dev.leasehold.internal.client;

import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica as its primary sees it.
 *
 * @param node where it is
 * @param state {@code online} if it gets what is written
 * @param lagSeconds for how long it has not been heard of
 * @param behindBytes how much of what was written it has not confirmed
 */
record Replica(RedisNode node, String state, long lagSeconds, long behindBytes) {

    /** A replica confirms each second. */
    private static final long LONGEST_LAG_SECONDS = 3;

    private static final long MOST_BEHIND_BYTES = 1 << 20;

    /** From the section {@code replication} of a primary's INFO. */
    static List<Replica> of(Map<String, String> info) {
        long offset = number(info.get("master_repl_offset"));
        List<Replica> replicas = new ArrayList<>();
        for (int i = 0; info.containsKey("slave" + i); i++) {
            Map<String, String> fields = new HashMap<>();
            for (String each : info.getOrDefault("slave" + i, "").split(",", -1)) {
                int equals = each.indexOf('=');
                if (equals > 0) {
                    fields.put(each.substring(0, equals), each.substring(equals + 1));
                }
            }
            replicas.add(new Replica(
                    new RedisNode(fields.getOrDefault("ip", "?"), (int) number(fields.get("port")), false),
                    fields.getOrDefault("state", "?"),
                    number(fields.get("lag")),
                    Math.max(0, offset - number(fields.get("offset")))));
        }
        return replicas;
    }

    private static long number(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }

    /** What its primary says of it, if that is not as it should be. */
    List<Finding> findings(String where) {
        if (!state.equals("online")) {
            return List.of(new Finding(
                    Level.WARNING,
                    "replica",
                    where + "The replica " + node + " is not online (" + state + "): it does not have the locks yet.",
                    "Look at its log, and at the network between them."));
        }
        if (lagSeconds >= LONGEST_LAG_SECONDS || behindBytes > MOST_BEHIND_BYTES) {
            return List.of(new Finding(
                    Level.WARNING,
                    "replica",
                    where
                            + String.format(
                                    Locale.ROOT,
                                    "The replica %s lags: it was heard of %d s ago, and %d bytes are not confirmed. A fail-over to "
                                            + "it loses the locks since.",
                                    node,
                                    lagSeconds,
                                    behindBytes),
                    "Look at its load and at the network between them; min-replicas-max-lag keeps a primary from granting "
                            + "alone."));
        }
        return List.of();
    }
}
