package dev.leasehold.testkit;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A real primary with replicas, and real sentinels that monitor them, on free ports of the loopback address, ready
 * in about a second.
 *
 * <p>Each process is an {@link EmbeddedRedis}: it ends as reliably and offers the same faults, {@code pause()},
 * {@code kill()}, {@code stop()} and {@code restart()}. The sentinels behave as in production, only faster. With
 * the default {@link EmbeddedSentinelBuilder#downAfter downAfter} another primary serves about two to three seconds
 * after the old one was killed. A former primary that returns accepts writes until the sentinels have made it a
 * replica, which takes about a second here and ten in production. With servers before Redis 7.0 all this takes some
 * ten seconds longer.
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
     * Starts a group with the defaults of {@link #builder()} and waits until all its members are ready.
     *
     * @throws EmbeddedRedisException if it does not start; the message contains what its servers report
     */
    public static EmbeddedSentinel start() {
        return builder().start();
    }

    /**
     * Returns a builder with the defaults: a primary called {@code mymaster}, two replicas, one random password for
     * these servers, three sentinels without a password.
     */
    public static EmbeddedSentinelBuilder builder() {
        return new EmbeddedSentinelBuilder();
    }

    /**
     * Returns the URI by which clients find the primary as the default user, in Lettuce's syntax:
     * {@code redis-sentinel://:password@host:port,host:port,host:port/0?sentinelMasterId=mymaster}, with the password
     * of the servers if they have one. It contains all sentinels. Servers with TLS have the scheme
     * {@code rediss-sentinel}, and sentinels with a password {@code &sentinelPassword=...}, which Lettuce does not
     * support.
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

    /** Returns the name under which the sentinels know the primary. */
    public String primaryName() {
        return primaryName;
    }

    /** Returns the servers that hold data, first the one that began as the primary. */
    public List<EmbeddedRedis> nodes() {
        return nodes;
    }

    /** Returns the sentinels. */
    public List<EmbeddedRedis> sentinels() {
        return sentinels;
    }

    /**
     * Returns the server that most of the answering sentinels name as the primary. It need not run.
     *
     * @throws EmbeddedRedisException if no sentinel answers
     */
    public EmbeddedRedis primary() {
        return view.primary();
    }

    /** Returns all servers that hold data except {@link #primary()}. */
    public List<EmbeddedRedis> replicas() {
        EmbeddedRedis primary = primary();
        return nodes.stream().filter(node -> node != primary).toList();
    }

    /**
     * Makes a sentinel replace the primary by a replica immediately, without a vote (SENTINEL FAILOVER), and waits
     * until all answering sentinels name the replica and all running servers follow it. The old primary accepts
     * writes until then, and these are lost. It may also be paused or dead.
     *
     * @return the new primary
     * @throws IllegalStateException if no sentinel answers
     * @throws EmbeddedRedisException if there is no result within 30 s, for example because no replica runs; the
     *     message contains what every server reports
     */
    public EmbeddedRedis failOver() {
        EmbeddedRedis former = primary();
        EmbeddedRedis sentinel = view.anySentinel();
        view.repeat(
                "a replica has replaced " + former,
                () -> ask(sentinel, former),
                () -> view.successorOf(former).filter(view::isFollowed).isPresent());
        return primary();
    }

    private void ask(EmbeddedRedis sentinel, EmbeddedRedis former) {
        if (primary() == former) {
            try {
                sentinel.command("SENTINEL", "FAILOVER", primaryName);
            } catch (RedisReplyException notNow) {
                // A failover may be in progress, or the sentinel may know no usable replica at the moment.
            }
        }
    }

    /**
     * Waits until all answering sentinels name another primary than this one and it accepts writes. Follows a
     * {@code pause()} or {@code kill()} of the primary, after which the sentinels fail over by themselves.
     *
     * @return the new primary
     * @throws EmbeddedRedisException if that takes over 30 s; the message contains what every server reports
     */
    public EmbeddedRedis awaitSuccessor(EmbeddedRedis former) {
        view.await(
                "another primary than " + former + " serves",
                () -> view.successorOf(former).isPresent());
        return primary();
    }

    /**
     * Waits until the servers that run and are not paused form one healthy group: one primary that all sentinels
     * name, replicas that have its data, and no suspected failure.
     *
     * @throws EmbeddedRedisException if that takes over 30 s; the message contains what every server reports
     */
    public void awaitHealthy() {
        view.await("all running servers have their roles", view::isHealthy);
    }

    /** Makes the group usable again after a test paused, killed or filled its servers. For the JUnit extension. */
    void reset() {
        sentinels.forEach(sentinel -> {
            sentinel.reset(false);
            SentinelGroup.hurry(sentinel);
        });
        nodes.forEach(node -> node.reset(false));
        awaitHealthy();
        EmbeddedRedis primary = primary();
        primary.flush();
        long flushed = primary.replicationOffset();
        view.await(
                "all replicas are flushed", () -> nodes.stream().allMatch(node -> node.replicationOffset() >= flushed));
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
