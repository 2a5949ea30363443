package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** A topology of Redis: each contract runs on all topologies that make a difference to it. */
public enum Topology {
    /** One standalone server. */
    STANDALONE("standalone"),
    /** One server that accepts only TLS, for a user with the rights of {@code docs/operations.md} and no others. */
    TLS_AND_ACL("TLS + ACL"),
    /** A primary with two replicas, which three sentinels name. */
    SENTINEL("Sentinel"),
    /** Three primaries with a replica each. */
    CLUSTER("cluster"),
    /** Five independent servers, one of which is dead. */
    QUORUM_ONE_DEAD("quorum with a dead server"),
    /** Five independent servers, one of which does not answer. */
    QUORUM_ONE_FROZEN("quorum with a frozen server");

    private final String title;

    Topology(String title) {
        this.title = title;
    }

    /** Starts servers, which the caller closes. */
    Site start(EmbeddedRedisBuilder settings) {
        return switch (this) {
            case STANDALONE -> new StandaloneSite(settings);
            case TLS_AND_ACL -> new TlsSite(settings);
            case SENTINEL -> new SentinelSite(settings);
            case CLUSTER -> new ClusterSite(settings);
            case QUORUM_ONE_DEAD -> new QuorumSite(settings, QuorumSite.Trouble.DEAD);
            case QUORUM_ONE_FROZEN -> new QuorumSite(settings, QuorumSite.Trouble.FROZEN);
        };
    }

    /** Returns whether a majority of servers decides. */
    boolean isQuorum() {
        return this == QUORUM_ONE_DEAD || this == QUORUM_ONE_FROZEN;
    }

    /**
     * Returns its name in tables.
     *
     * @return a few words
     */
    public String title() {
        return title;
    }
}
