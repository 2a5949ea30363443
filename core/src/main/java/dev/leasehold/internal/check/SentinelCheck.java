package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.Names;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks each Sentinel which primary it names, and whether it could start a failover. */
final class SentinelCheck {

    private static final int MIN_SENTINELS = 3;

    private final RedisSentinels named;
    private final String primary;
    private final Duration lease;
    private final TemporaryConnections connections;
    private final List<Finding> findings = new ArrayList<>();

    /** The number of Sentinels that the Sentinels know, including themselves. */
    private int known;

    private int agreeing;
    private boolean groupReported;

    /**
     * Creates the check without running it.
     *
     * @param primary the server that the client uses as the primary
     * @param lease the lease time
     */
    SentinelCheck(RedisSentinels named, RedisNode primary, Duration lease, TemporaryConnections connections) {
        this.named = named;
        this.primary = primary.toString();
        this.lease = lease;
        this.connections = connections;
    }

    List<Finding> run() {
        for (RedisServer each : named.sentinels()) {
            findings.addAll(connections.at(
                    each,
                    ConnectionPurpose.SENTINEL,
                    "sentinel",
                    "The others have to agree without it: bring it back before one more is lost.",
                    queries -> check(each, queries)));
        }
        int all = named.sentinels().size();
        if (agreeing == all) {
            add(Level.FINE, "All " + all + " sentinels of the URI name " + primary + ", and can agree on another.", "");
        }
        count(all);
        return findings;
    }

    private void count(int all) {
        if (known > 0 && known < MIN_SENTINELS) {
            add(
                    Level.WARNING,
                    "There are " + known + " sentinels: with one down, no majority is left to agree on a failover.",
                    "Run three sentinels or more, on machines of their own.");
        }
        if (known > all) {
            add(
                    Level.WARNING,
                    "The URI names " + all + " of " + known
                            + " sentinels: while those are down, no client can find the primary.",
                    "Name all of them in the URI.");
        }
    }

    private List<Finding> check(RedisServer sentinel, ServerQueries queries) {
        List<Finding> found = new ArrayList<>();
        Map<String, String> master = row(ask(queries, "MASTER"));
        known = Math.max(known, number(master.get("num-other-sentinels")) + 1);
        RedisNode reported = new RedisNode(master.getOrDefault("ip", "?"), number(master.get("port")), true);
        if (!reported.toString().equals(primary)) {
            found.add(finding(sentinel, "names " + reported + " as the primary, and this client uses " + primary));
        }
        try {
            Object unused = ask(queries, "CKQUORUM");
        } catch (RedisErrorException e) {
            found.add(finding(sentinel, "sees no way to a failover: " + Names.escapeReason(e.getMessage())));
        }
        if (!groupReported) {
            groupReported = true;
            group(queries, master);
        }
        if (found.isEmpty()) {
            agreeing++;
        }
        return found;
    }

    /** Reports the state that all Sentinels share, as seen by the first of them. */
    private void group(ServerQueries queries, Map<String, String> master) {
        int replicas = 0;
        for (Object each : ServerQueries.list(ask(queries, "REPLICAS"))) {
            Map<String, String> replica = row(each);
            String flags = replica.getOrDefault("flags", "");
            if (flags.contains("down") || flags.contains("disconnected")) {
                findings.add(new Finding(
                        Level.WARNING,
                        "replica",
                        "The sentinels cannot reach the replica " + replica.get("ip") + ":" + replica.get("port") + " ("
                                + flags + "): it cannot take the primary's place.",
                        "Bring it back, or let the sentinels forget it (SENTINEL RESET)."));
            } else {
                replicas++;
            }
        }
        if (replicas == 0) {
            add(
                    Level.WARNING,
                    "No replica can take the place of the primary.",
                    "Add a replica; until then no failover is possible.");
        }
        long down = number(master.get("down-after-milliseconds"));
        if (down >= lease.toMillis()) {
            add(
                    Level.WARNING,
                    "Sentinels consider a primary down after " + down + " ms: by then leases of " + lease.toMillis()
                            + " ms have ended, and every failover loses all of them.",
                    "Lower down-after-milliseconds, or choose leases longer than it and the failover together.");
        }
    }

    private @Nullable Object ask(ServerQueries queries, String what) {
        return queries.command(null, List.of("SENTINEL", what, named.primaryName()));
    }

    private Finding finding(RedisServer sentinel, String what) {
        return new Finding(
                Level.WARNING,
                "sentinel",
                sentinel + ": This sentinel " + what + ".",
                "Check its log, and whether the sentinels reach one another.");
    }

    private void add(Level level, String text, String remedy) {
        findings.add(new Finding(level, "sentinels", text, remedy));
    }

    private static Map<String, String> row(@Nullable Object reply) {
        List<?> words = ServerQueries.list(reply);
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            row.put(String.valueOf(words.get(i)), String.valueOf(words.get(i + 1)));
        }
        return row;
    }

    private static int number(@Nullable String text) {
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
    }
}
