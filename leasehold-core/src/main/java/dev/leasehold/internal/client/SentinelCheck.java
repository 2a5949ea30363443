package dev.leasehold.internal.client;

import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.internal.key.Names;
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

/** Asks each sentinel whether it would put another server in the place of the primary, and whom it names. */
final class SentinelCheck {

    private static final int FEWEST = 3;

    private final RedisSentinels named;
    private final String primary;
    private final Duration lease;
    private final TemporaryConnections visits;
    private final List<Finding> findings = new ArrayList<>();

    /** What the sentinels know of, themselves included. */
    private int known;

    private int agreeing;
    private boolean groupTold;

    /**
     * Asks nobody yet.
     *
     * @param primary the server that the client takes for it
     * @param lease how long leases are
     */
    SentinelCheck(RedisSentinels named, RedisNode primary, Duration lease, TemporaryConnections visits) {
        this.named = named;
        this.primary = primary.toString();
        this.lease = lease;
        this.visits = visits;
    }

    List<Finding> run() {
        for (RedisServer each : named.sentinels()) {
            findings.addAll(visits.at(
                    each,
                    "sentinel",
                    "The others have to agree without it: bring it back before one more is lost.",
                    queries -> look(each, queries)));
        }
        int all = named.sentinels().size();
        if (agreeing == all) {
            add(Level.FINE, "All " + all + " sentinels of the URI name " + primary + ", and can agree on another.", "");
        }
        count(all);
        return findings;
    }

    private void count(int all) {
        if (known > 0 && known < FEWEST) {
            add(
                    Level.WARNING,
                    "There are " + known + " sentinels: with one away no majority is left to agree on a fail-over.",
                    "Run three sentinels or more, on machines of their own.");
        }
        if (known > all) {
            add(
                    Level.WARNING,
                    "The URI names " + all + " of " + known
                            + " sentinels: while those are away nobody finds the primary.",
                    "Name all of them in the URI.");
        }
    }

    private List<Finding> look(RedisServer sentinel, ServerQueries queries) {
        List<Finding> heard = new ArrayList<>();
        Map<String, String> master = row(ask(queries, "MASTER"));
        known = Math.max(known, number(master.get("num-other-sentinels")) + 1);
        RedisNode theirs = new RedisNode(master.getOrDefault("ip", "?"), number(master.get("port")), true);
        if (!theirs.toString().equals(primary)) {
            heard.add(finding(sentinel, "names " + theirs + " as the primary, and this client uses " + primary));
        }
        try {
            Object unused = ask(queries, "CKQUORUM");
        } catch (RedisErrorException e) {
            heard.add(finding(sentinel, "sees no way to a fail-over: " + Names.escape(String.valueOf(e.getMessage()))));
        }
        if (!groupTold) {
            groupTold = true;
            group(queries, master);
        }
        if (heard.isEmpty()) {
            agreeing++;
        }
        return heard;
    }

    /** What is the same for all sentinels is told as the first has it. */
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
                    "Add a replica; until then the primary's death is that of the service.");
        }
        long down = number(master.get("down-after-milliseconds"));
        if (down >= lease.toMillis()) {
            add(
                    Level.WARNING,
                    "A primary is taken for down after " + down + " ms: by then leases of " + lease.toMillis()
                            + " ms have ended, and every fail-over loses all of them.",
                    "Lower down-after-milliseconds, or choose leases longer than it and the fail-over together.");
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
                "Look at its log, and whether the sentinels reach one another.");
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
