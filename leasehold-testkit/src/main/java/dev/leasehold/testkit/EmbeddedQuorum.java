package dev.leasehold.testkit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Real servers that know nothing of one another, on free ports of the loopback address, for {@code Leasehold.quorum(...)}.
 *
 * <p>Each is an {@link EmbeddedRedis}, ends as surely, and has all its faults: {@code pause()}, {@code kill()}, {@code stop()}
 * and {@code restart()}. A quorum does not let a server count that may have forgotten holds: a new one, or one that was
 * restarted, only after the longest lease of the quorum, a minute by default. {@link #letCount()} spares tests that minute.
 *
 * <p>Thread-safe.
 *
 * <pre>{@code
 * try (EmbeddedQuorum redis = EmbeddedQuorum.start();
 *         Leasehold quorum = Leasehold.quorum(redis.uris().toArray(String[]::new))) {
 *     redis.letCount();
 *     try (Lease lease = quorum.lock("x").acquire()) {
 *         redis.nodes().get(0).kill();
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class EmbeddedQuorum implements AutoCloseable {

    private static final String MARKERS = "*:quorum";
    /** What docs/protocol.md says of the marker: layout, since when, the longest lease, run id. */
    private static final Pattern MARKER = Pattern.compile("1 (\\d+) (\\d+) (\\w+)");

    private final List<EmbeddedRedis> nodes;

    EmbeddedQuorum(List<EmbeddedRedis> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Starts servers with the defaults of {@link #builder()} and waits until all answer.
     *
     * @throws EmbeddedRedisException if one does not come up; the message carries its log
     */
    public static EmbeddedQuorum start() {
        return builder().start();
    }

    /** A builder with the defaults: five servers, no password. */
    public static EmbeddedQuorumBuilder builder() {
        return new EmbeddedQuorumBuilder();
    }

    /** Where clients reach the servers as the default user, with the password if there is one, in the order of {@link #nodes()}. */
    public List<String> uris() {
        return nodes.stream().map(EmbeddedRedis::uri).toList();
    }

    /** The servers. */
    public List<EmbeddedRedis> nodes() {
        return nodes;
    }

    /**
     * Has the servers count at once, as if the longest lease had passed since a client reached them: for all quorums whose
     * clients have connected, whatever their key prefix and longest lease. A server that no client has reached yet, one that does
     * not run and one that is paused stay as they are; call it again when they are there. Holds that a server has forgotten are
     * then taken for ones that never were, so that a test which lets one count while a lease lives can see two holders.
     *
     * @throws EmbeddedRedisException if a server does not answer
     */
    public void letCount() {
        for (EmbeddedRedis node : nodes) {
            if (node.isRunning() && !node.isPaused() && node.command("KEYS", MARKERS) instanceof List<?> keys) {
                keys.forEach(key -> letCount(node, String.valueOf(key)));
            }
        }
    }

    private static void letCount(EmbeddedRedis node, String key) {
        if (!"string".equals(node.command("TYPE", key))) {
            return;
        }
        Matcher marker = MARKER.matcher(String.valueOf(node.command("GET", key)));
        if (marker.matches()) {
            long since = Long.parseLong(marker.group(1)) - Long.parseLong(marker.group(2));
            node.command("SET", key, "1 " + since + " " + marker.group(2) + " " + marker.group(3));
        }
    }

    /** Ends all servers by SIGKILL and deletes their temporary files. Idempotent. */
    @Override
    public void close() {
        nodes.forEach(EmbeddedRedis::close);
    }

    @Override
    public String toString() {
        return "EmbeddedQuorum" + nodes;
    }
}
