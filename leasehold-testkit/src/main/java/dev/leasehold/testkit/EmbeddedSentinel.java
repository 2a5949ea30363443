package dev.leasehold.testkit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A real primary with replicas, and real sentinels that watch them, on free ports of the loopback address, ready in about a
 * second.
 *
 * <p>Each process is an {@link EmbeddedRedis}, ends as surely, and has all its faults: {@code pause()}, {@code kill()},
 * {@code stop()} and {@code restart()}. The sentinels do what they do elsewhere, only sooner: about two seconds after the
 * primary was killed another one serves, with the default {@link EmbeddedSentinelBuilder#downAfter downAfter} about three. A
 * former primary that comes back takes writes until the sentinels have made it a replica, which takes about a second here and
 * ten elsewhere. On servers before Redis 7.0 all this takes some ten seconds longer.
 *
 * <p>Thread-safe.
 *
 * <pre>{@code
 * try (EmbeddedSentinel redis = EmbeddedSentinel.start()) {
 *     connect(redis.uri());
 *     EmbeddedRedis former = redis.primary();
 *     former.kill();
 *     redis.awaitSuccessor(former);
 * }
 * }</pre>
 */
public final class EmbeddedSentinel implements AutoCloseable {

    private final String primaryName;
    private final List<EmbeddedRedis> nodes;
    private final List<EmbeddedRedis> sentinels;
    private final SentinelView view;

    EmbeddedSentinel(String primaryName, List<EmbeddedRedis> nodes, List<EmbeddedRedis> sentinels, SentinelView view) {
        this.primaryName = primaryName;
        this.nodes = List.copyOf(nodes);
        this.sentinels = List.copyOf(sentinels);
        this.view = view;
    }

    /**
     * Starts a group with the defaults of {@link #builder()} and waits until all of it is there.
     *
     * @throws EmbeddedRedisException if it does not come up; the message says what its servers say
     */
    public static EmbeddedSentinel start() {
        return builder().start();
    }

    /** A builder with the defaults: a primary called {@code mymaster}, two replicas, three sentinels, no password. */
    public static EmbeddedSentinelBuilder builder() {
        return new EmbeddedSentinelBuilder();
    }

    /**
     * Where clients find the primary as the default user, as Lettuce spells it:
     * {@code redis-sentinel://host:port,host:port,host:port/0?sentinelMasterId=mymaster}, with the password of the servers if
     * they have one. All sentinels are in it. Servers with TLS have the scheme {@code rediss-sentinel}, and sentinels with a
     * password {@code &sentinelPassword=...}, which Lettuce does not know.
     */
    public String uri() {
        String primary = nodes.get(0).uri();
        int login = primary.indexOf('@');
        String password = sentinels.get(0).password();
        return (primary.startsWith("rediss:") ? "rediss-sentinel://" : "redis-sentinel://")
                + (login < 0 ? "" : primary.substring(primary.indexOf("://") + 3, login + 1))
                + sentinels.stream()
                        .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                        .collect(Collectors.joining(","))
                + "/0?sentinelMasterId=" + primaryName
                + (password == null ? "" : "&sentinelPassword=" + RedisInstallation.encode(password));
    }

    /** The name under which the sentinels know the primary. */
    public String primaryName() {
        return primaryName;
    }

    /** The servers that hold data, first the one that began as the primary. */
    public List<EmbeddedRedis> nodes() {
        return nodes;
    }

    /** The sentinels. */
    public List<EmbeddedRedis> sentinels() {
        return sentinels;
    }

    /**
     * The server that most of the sentinels that answer name as the primary. It need not run.
     *
     * @throws EmbeddedRedisException if no sentinel answers
     */
    public EmbeddedRedis primary() {
        return view.primary();
    }

    /** All servers that hold data but {@link #primary()}. */
    public List<EmbeddedRedis> replicas() {
        EmbeddedRedis primary = primary();
        return nodes.stream().filter(node -> node != primary).toList();
    }

    /**
     * Has a sentinel put a replica in the place of the primary, at once and without asking anybody (SENTINEL FAILOVER), and
     * waits until all sentinels that answer name it and all servers that run follow it. The old primary takes writes until
     * then: what it is told meanwhile is lost. It may also be paused or dead.
     *
     * @return the new primary
     * @throws IllegalStateException if no sentinel answers
     * @throws EmbeddedRedisException if there is no result within 30 s, for example because no replica runs; the message
     *     carries what every server says
     */
    public EmbeddedRedis failOver() {
        EmbeddedRedis former = primary();
        EmbeddedRedis sentinel = view.anySentinel();
        view.repeat(
                "a replica is in the place of " + former,
                () -> ask(sentinel, former),
                () -> view.successorOf(former).filter(view::isFollowed).isPresent());
        return primary();
    }

    private void ask(EmbeddedRedis sentinel, EmbeddedRedis former) {
        if (primary() == former) {
            try {
                sentinel.command("SENTINEL", "FAILOVER", primaryName);
            } catch (RedisReplyException notNow) {
                // One may be under way, or no replica be known to be sound just now.
            }
        }
    }

    /**
     * Waits until all sentinels that answer name another primary than this one, and it takes writes: after a
     * {@code pause()} or {@code kill()} of the primary, for what the sentinels do by themselves.
     *
     * @return the new primary
     * @throws EmbeddedRedisException if that takes over 30 s; the message carries what every server says
     */
    public EmbeddedRedis awaitSuccessor(EmbeddedRedis former) {
        view.await(
                "another primary than " + former + " serves",
                () -> view.successorOf(former).isPresent());
        return primary();
    }

    /**
     * Waits until all servers that run and are not paused have their places: one primary that all sentinels name, replicas
     * that have its data, and nobody in doubt about another.
     *
     * @throws EmbeddedRedisException if that takes over 30 s; the message carries what every server says
     */
    public void awaitHealthy() {
        view.await("all that runs has its place", view::isHealthy);
    }

    /** For the JUnit extension: makes a group usable again whose servers a test paused, killed or filled. */
    void reset() {
        sentinels.forEach(sentinel -> {
            sentinel.reset(false);
            SentinelGroup.hurry(sentinel);
        });
        nodes.forEach(node -> node.reset(false));
        awaitHealthy();
        primary().flush();
    }

    /** Ends all processes by SIGKILL and deletes their temporary files. Idempotent. */
    @Override
    public void close() {
        sentinels.forEach(EmbeddedRedis::close);
        nodes.forEach(EmbeddedRedis::close);
    }

    @Override
    public String toString() {
        return "EmbeddedSentinel[" + primaryName + ", nodes " + nodes + ", sentinels " + sentinels + "]";
    }
}
