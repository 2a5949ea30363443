package dev.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings that make servers a group that sentinels monitor.
 *
 * @param adminPassword the password of the testkit's own user: the same everywhere, so that all can log in to one
 *     another
 * @param primaryName the name under which the sentinels know the primary
 * @param downAfter the time without an answer after which a sentinel considers a server down
 * @param quorum the number of sentinels that have to agree that the primary is down
 * @param sentinelPassword the password of the sentinels' default user, with which they also log in to one another;
 *     null for none
 */
record SentinelGroup(
        String adminPassword,
        String primaryName,
        Duration downAfter,
        int quorum,
        @Nullable String sentinelPassword) {

    /**
     * The intervals at which sentinels poll, exchange their views and try again; their own defaults suit machines,
     * not tests. A sentinel that was not scheduled for a while would refuse to act for 30 s. Redis has these
     * settings since 7.0, and older servers take some 10 s longer for a failover.
     */
    private static final List<String> HURRY = List.of(
            "INFO-PERIOD", "500",
            "ASK-PERIOD", "200",
            "PUBLISH-PERIOD", "250",
            "TILT-TRIGGER", "60000",
            "TILT-PERIOD", "1000",
            "MIN-LINK-RECONNECT-PERIOD", "200");

    /** A failover that failed, or that another sentinel led, is tried again after twice this time. */
    private static final String FAILOVER_MILLIS = "2000";

    /** Returns the directives of a server that holds data. */
    List<String> directives() {
        return List.of(
                // A replica is available to a test immediately, not after the 5 s in which other replicas might
                // join the transfer.
                "repl-diskless-sync-delay 0", "masteruser " + EmbeddedRedis.ADMIN, "masterauth " + adminPassword);
    }

    /**
     * Returns the settings of a sentinel that knows from its start the peers that it would otherwise discover
     * within seconds.
     *
     * @param own its id
     * @param port its port
     * @param nodes the servers, the primary first
     * @param ports the ports of all sentinels by their ids
     * @param settings the settings of the servers
     */
    EmbeddedRedisBuilder sentinel(
            String own,
            int port,
            List<EmbeddedRedis> nodes,
            Map<String, Integer> ports,
            EmbeddedRedisBuilder settings) {
        EmbeddedRedisBuilder sentinel =
                EmbeddedRedis.builder().asSentinelOf(this, settings).port(port);
        EmbeddedRedis primary = nodes.get(0);
        sentinel.config("sentinel", "myid", own);
        add(sentinel, "monitor", primary.host(), Integer.toString(primary.port()), Integer.toString(quorum));
        add(sentinel, "auth-user", EmbeddedRedis.ADMIN);
        add(sentinel, "auth-pass", adminPassword);
        add(sentinel, "down-after-milliseconds", Long.toString(downAfter.toMillis()));
        add(sentinel, "failover-timeout", FAILOVER_MILLIS);
        nodes.stream()
                .skip(1)
                .forEach(replica -> add(sentinel, "known-replica", replica.host(), Integer.toString(replica.port())));
        ports.forEach((id, other) -> {
            if (!id.equals(own)) {
                add(sentinel, "known-sentinel", RedisInstallation.HOST, Integer.toString(other), id);
            }
        });
        return sentinel;
    }

    private void add(EmbeddedRedisBuilder sentinel, String directive, String... values) {
        List<String> words = new ArrayList<>(List.of(directive, primaryName));
        words.addAll(List.of(values));
        sentinel.config("sentinel", words.toArray(String[]::new));
    }

    /** Shortens the intervals of a sentinel, which a restart resets. */
    static void hurry(EmbeddedRedis sentinel) {
        List<String> words = new ArrayList<>(List.of("SENTINEL", "DEBUG"));
        words.addAll(HURRY);
        try {
            sentinel.command(words.toArray(String[]::new));
        } catch (RedisReplyException older) {
            // Older servers keep their intervals.
        }
    }

    @Override
    public String toString() {
        return "SentinelGroup[" + primaryName + "]";
    }
}
