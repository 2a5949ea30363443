package dev.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What makes servers a group that sentinels watch.
 *
 * @param adminPassword of the testkit's own user: the same everywhere, so that all can log in to one another
 * @param primaryName the name under which the sentinels know the primary
 * @param downAfter after how long without an answer a sentinel takes a server for down
 * @param quorum how many sentinels have to agree that the primary is down
 * @param sentinelPassword of the sentinels' default user, by which they also log in to one another; null for none
 */
record SentinelGroup(
        String adminPassword,
        String primaryName,
        Duration downAfter,
        int quorum,
        @Nullable String sentinelPassword) {

    /**
     * How quickly sentinels look, tell one another and try again; their own defaults are made for machines, not for tests.
     * A sentinel that was not given the processor for a while would refuse to act for 30 s. Redis knows this since 7.0, and
     * older servers take some 10 s longer over a fail-over.
     */
    private static final List<String> HURRY = List.of(
            "INFO-PERIOD", "500",
            "ASK-PERIOD", "200",
            "PUBLISH-PERIOD", "250",
            "TILT-TRIGGER", "60000",
            "TILT-PERIOD", "1000",
            "MIN-LINK-RECONNECT-PERIOD", "200");

    /** A fail-over that came to nothing, or was somebody else's, is tried again after twice this. */
    private static final String FAILOVER_MILLIS = "2000";

    /** Of a server that holds data. */
    List<String> directives() {
        return List.of(
                // A replica is there for a test at once, not after the 5 s in which others might join the transfer.
                "repl-diskless-sync-delay 0", "masteruser " + EmbeddedRedis.ADMIN, "masterauth " + adminPassword);
    }

    /**
     * A sentinel that knows from its start whom others take seconds to hear of.
     *
     * @param own its id
     * @param port where it listens
     * @param nodes the servers, the primary first
     * @param ports of all sentinels by their ids
     * @param settings of the servers
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

    /** It forgets that when it starts anew. */
    static void hurry(EmbeddedRedis sentinel) {
        List<String> words = new ArrayList<>(List.of("SENTINEL", "DEBUG"));
        words.addAll(HURRY);
        try {
            sentinel.command(words.toArray(String[]::new));
        } catch (RedisReplyException older) {
            // It takes its time, then.
        }
    }
}
