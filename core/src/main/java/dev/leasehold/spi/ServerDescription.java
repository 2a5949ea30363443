package dev.leasehold.spi;

import java.util.List;
import java.util.Set;

/**
 * The servers behind a transport.
 *
 * @param version the version of the server, such as {@code 7.0.15}
 * @param nodes the servers, primaries first
 * @param capabilities the capabilities that both the adapter and the server support
 */
public record ServerDescription(String version, List<RedisNode> nodes, Set<Capability> capabilities) {

    /** Copies the collections. */
    public ServerDescription {
        nodes = List.copyOf(nodes);
        capabilities = Set.copyOf(capabilities);
    }

    /** A capability that both an adapter and a server support. */
    public enum Capability {
        /** The client never sends a command twice, nor keeps it for a later connection. */
        AT_MOST_ONCE,
        /**
         * The reply of PUBLISH counts every subscriber: true if all clients subscribe on the server that runs the
         * scripts, so not in a cluster.
         */
        COUNTS_RECEIVERS,
        /** A call may have keys of any slots: true for a single server, not for a cluster. */
        CALLS_ACROSS_SLOTS,
        /**
         * The callers of {@link RedisTransport#eval} share a connection, and it blocks none of them until its answer. So a client may
         * send the requests of several callers as one call.
         */
        SHARES_CONNECTIONS,
        /** Channels are spread over the shards of a cluster. */
        SHARDED_PUBSUB,
        /** {@link RedisTransport#evalDurably} works: the adapter keeps a connection on which it waits for replicas. */
        WAITS_FOR_REPLICAS,
        /**
         * {@link RedisTransport#evalDurably} also works with {@code onDisk}: the server has {@code WAITAOF}, so Redis
         * 7.2 or later.
         */
        WAITS_FOR_DISKS,
        /**
         * {@link RedisTransport#onInvalidation} works: the client receives invalidations, and the server sends them, unless it forbids
         * the user {@code CLIENT TRACKING}.
         */
        TRACKS_KEYS
    }
}
