package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
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
 * @param node its address
 * @param state {@code online} if it receives writes
 * @param lagSeconds the time since its last confirmation
 * @param behindBytes the size of the writes that it has not confirmed
 */
record Replica(RedisNode node, String state, long lagSeconds, long behindBytes) {

    /** A replica confirms each second. */
    private static final long MAX_LAG_SECONDS = 3;

    private static final long MAX_BEHIND_BYTES = 1 << 20;

    /** Parses the section {@code replication} of a primary's INFO. */
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

    /** Returns the problems that its primary reports. */
    List<Finding> findings(String nodePrefix) {
        if (!state.equals("online")) {
            return List.of(new Finding(
                    Level.WARNING,
                    "replica",
                    nodePrefix + "The replica " + node + " is not online (" + state
                            + "): it does not have the locks yet.",
                    "Check its log, and the network between them."));
        }
        if (lagSeconds >= MAX_LAG_SECONDS || behindBytes > MAX_BEHIND_BYTES) {
            return List.of(new Finding(
                    Level.WARNING,
                    "replica",
                    nodePrefix
                            + String.format(
                                    Locale.ROOT,
                                    "The replica %s lags: its last confirmation was %d s ago, and %d bytes are not confirmed. A failover to "
                                            + "it loses the locks since.",
                                    node,
                                    lagSeconds,
                                    behindBytes),
                    "Check its load and the network between them; min-replicas-max-lag keeps a primary from granting "
                            + "alone."));
        }
        return List.of();
    }
}
