package dev.leasehold.testkit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of an {@link EmbeddedSentinel}. Defaults: a primary called {@code mymaster} with two replicas, with
 * the defaults of {@link EmbeddedRedis#builder()} and one password for all; three sentinels without a password, two
 * of which have to agree that the primary is down, which each assumes after 2 s without an answer. Not thread-safe; can start any number of groups.
 */
public final class EmbeddedSentinelBuilder {

    private static final Duration SHORTEST_DOWN_AFTER = Duration.ofMillis(100);

    private String primaryName = "mymaster";
    private int replicas = 2;
    private int sentinels = 3;
    private Duration downAfter = Duration.ofSeconds(2);
    private @Nullable String sentinelPassword;
    private EmbeddedRedisBuilder settings = EmbeddedRedis.builder();

    EmbeddedSentinelBuilder() {}

    /**
     * Sets the name under which the sentinels know the primary. Default: {@code mymaster}.
     *
     * @throws IllegalArgumentException if it has other characters than letters, digits, dots, hyphens and
     *     underscores, which are all that a sentinel accepts
     */
    public EmbeddedSentinelBuilder primaryName(String value) {
        if (!value.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    "A sentinel knows a primary by letters, digits, dots, hyphens and underscores, not \"" + value
                            + "\"");
        }
        this.primaryName = value;
        return this;
    }

    /**
     * Sets the number of replicas. Default: 2.
     *
     * @throws IllegalArgumentException if the number is not within 1 to 5
     */
    public EmbeddedSentinelBuilder replicas(int value) {
        if (value < 1 || value > 5) {
            throw new IllegalArgumentException("A primary that sentinels watch has 1 to 5 replicas, not " + value);
        }
        this.replicas = value;
        return this;
    }

    /**
     * Sets the number of sentinels, of which a majority has to agree that the primary is down. Default: 3.
     *
     * @throws IllegalArgumentException if the number is not within 1 to 5
     */
    public EmbeddedSentinelBuilder sentinels(int value) {
        if (value < 1 || value > 5) {
            throw new IllegalArgumentException("An embedded group has 1 to 5 sentinels, not " + value);
        }
        this.sentinels = value;
        return this;
    }

    /**
     * Sets {@code down-after-milliseconds}: the time without an answer after which a sentinel considers a server
     * down. Default: 2 s, where the sentinel's own default is 30 s. Tests should not wait long, and a busy machine
     * should not lose a healthy primary.
     *
     * @throws IllegalArgumentException if it is below 100 ms
     */
    public EmbeddedSentinelBuilder downAfter(Duration value) {
        if (value.compareTo(SHORTEST_DOWN_AFTER) < 0) {
            throw new IllegalArgumentException(
                    "A sentinel waits at least " + SHORTEST_DOWN_AFTER.toMillis() + " ms for an answer, not " + value);
        }
        this.downAfter = value;
        return this;
    }

    /**
     * Sets the password of the sentinels, with which clients and the other sentinels log in. Default: none, so every
     * program of this machine reaches the sentinels. The servers that hold data have their own password, by default a
     * random one; see {@link #settings}.
     */
    public EmbeddedSentinelBuilder sentinelPassword(String value) {
        this.sentinelPassword = value;
        return this;
    }

    /**
     * Sets the configuration of each server that holds data: password, users, TLS, directives. Sentinels and
     * replicas log in as the testkit's own user. With TLS the sentinels use it too, with the same certificate. They
     * run the same program with the same environment.
     *
     * @throws IllegalArgumentException if the settings have a port or a directory, which the servers cannot share
     */
    public EmbeddedSentinelBuilder settings(EmbeddedRedisBuilder value) {
        if (value.port() != 0 || value.directory() != null) {
            throw new IllegalArgumentException("The servers that sentinels watch cannot share a port or a directory; "
                    + "leave both out of the settings.");
        }
        this.settings = value;
        return this;
    }

    /**
     * Starts all processes and waits until the sentinels know one another and the replicas have all data.
     *
     * @throws EmbeddedRedisException if one does not start, or that takes over 30 s; the message contains its log,
     *     or what every server reports
     */
    public EmbeddedSentinel start() {
        SentinelGroup group =
                new SentinelGroup(Secrets.password(), primaryName, downAfter, sentinels / 2 + 1, sentinelPassword);
        return new SentinelFormation(group, settings).form(replicas, sentinels);
    }
}
