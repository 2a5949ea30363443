package dev.leasehold.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Configuration of an {@link EmbeddedQuorum}. Defaults: five servers, with the defaults of
 * {@link EmbeddedRedis#builder()} and one password for all. Not thread-safe; can start any number of quorums.
 */
public final class EmbeddedQuorumBuilder {

    private static final int FEWEST = 3;
    private static final int MOST = 15;

    private int servers = 5;
    private EmbeddedRedisBuilder settings = EmbeddedRedis.builder();

    EmbeddedQuorumBuilder() {}

    /**
     * Sets the number of servers. Default: 5, of which 2 may fail.
     *
     * @throws IllegalArgumentException if the number is not within 3 to 15, the sizes that a quorum supports
     */
    public EmbeddedQuorumBuilder servers(int value) {
        if (value < FEWEST || value > MOST) {
            throw new IllegalArgumentException("A quorum has " + FEWEST + " to " + MOST + " servers, not " + value
                    + "; with fewer none may fail.");
        }
        this.servers = value;
        return this;
    }

    /**
     * Sets the configuration of each server: password, users, TLS, directives.
     *
     * @throws IllegalArgumentException if the settings have a port or a directory, which the servers cannot share
     */
    public EmbeddedQuorumBuilder settings(EmbeddedRedisBuilder value) {
        if (value.port() != 0 || value.directory() != null) {
            throw new IllegalArgumentException(
                    "The servers of a quorum cannot share a port or a directory; " + "leave both out of the settings.");
        }
        this.settings = value;
        return this;
    }

    /**
     * Starts the servers and waits until each answers.
     *
     * @throws EmbeddedRedisException if one does not start; the message contains its log, and the other servers are
     *     ended
     */
    public EmbeddedQuorum start() {
        List<EmbeddedRedis> started = new ArrayList<>();
        try {
            for (int i = 0; i < servers; i++) {
                started.add(settings.start());
            }
            return new EmbeddedQuorum(started);
        } catch (RuntimeException e) {
            started.forEach(EmbeddedRedis::close);
            throw e;
        }
    }
}
