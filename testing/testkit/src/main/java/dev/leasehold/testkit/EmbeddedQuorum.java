package dev.leasehold.testkit;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Real, independent servers on free ports of the loopback address, for {@code QuorumLeasehold.connect(...)}.
 *
 * <p>Each server is an {@link EmbeddedRedis}: it ends as reliably and offers the same faults, {@code pause()},
 * {@code kill()}, {@code stop()} and {@code restart()}. A quorum does not count a server that may have forgotten
 * holds. It counts a new or restarted server only after the quorum's longest lease, by default a minute.
 * {@link #letCount()} saves tests that minute.
 *
 * <p>Thread-safe.
 *
 * <pre>{@code
 * try (EmbeddedQuorum redis = EmbeddedQuorum.start();
 *         QuorumLeasehold quorum = QuorumLeasehold.connect(redis.uris().toArray(String[]::new))) {
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
    /** The marker's format in docs/protocol.md: layout, since when, the longest lease, run id. */
    private static final Pattern MARKER = Pattern.compile("1 (\\d+) (\\d+) (\\w+)");

    private final List<EmbeddedRedis> nodes;

    EmbeddedQuorum(List<EmbeddedRedis> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Starts servers with the defaults of {@link #builder()} and waits until all answer.
     *
     * @throws EmbeddedRedisException if one does not start; the message contains its log
     */
    public static EmbeddedQuorum start() {
        return builder().start();
    }

    /** Returns a builder with the defaults: five servers, one random password for all. */
    public static EmbeddedQuorumBuilder builder() {
        return new EmbeddedQuorumBuilder();
    }

    /**
     * Returns the servers' URIs for the default user, with the password if there is one, in the order of
     * {@link #nodes()}.
     */
    public List<String> uris() {
        return nodes.stream().map(EmbeddedRedis::uri).toList();
    }

    /** Returns the servers. */
    public List<EmbeddedRedis> nodes() {
        return nodes;
    }

    /**
     * Makes the servers count immediately, as if the longest lease had passed since a client reached them. This
     * applies to all quorums whose clients have connected, whatever their key prefix and longest lease. It does not
     * apply to a server that no client has reached yet, that does not run or that is paused; call this method again
     * when such a server is available. The quorum then treats holds that a server has forgotten as if they had
     * never existed. A test that calls this method while a lease lives can therefore see two holders.
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
