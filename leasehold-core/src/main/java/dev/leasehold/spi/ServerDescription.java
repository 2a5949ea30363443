package dev.leasehold.spi;

import java.util.List;
import java.util.Set;

/**
 * What a transport knows about the servers behind it.
 *
 * @param version the version of the server, such as {@code 7.0.15}
 * @param nodes the servers, primaries first
 * @param capabilities what the adapter and the server can do together
 */
public record ServerDescription(String version, List<RedisNode> nodes, Set<Capability> capabilities) {

    /** Copies the collections. */
    public ServerDescription {
        nodes = List.copyOf(nodes);
        capabilities = Set.copyOf(capabilities);
    }

    /** What an adapter and a server can do together. */
    public enum Capability {
        /** No command is ever sent twice by the client, nor kept for a later connection. */
        AT_MOST_ONCE,
        /**
         * The number that PUBLISH answers counts every subscriber: so where all subscribe on the server on which the
         * scripts run, and not in a cluster.
         */
        COUNTS_RECEIVERS,
        /** A call may have keys of any slots: so on a single server, and not in a cluster. */
        CALLS_ACROSS_SLOTS,
        /** Channels are spread over the shards of a cluster. */
        SHARDED_PUBSUB,
        /** {@link RedisTransport#evalDurably} works: the adapter keeps a connection on which it waits for replicas. */
        WAITS_FOR_REPLICAS,
        /** So it does with {@code onDisk}: the server knows {@code WAITAOF}, as from Redis 7.2 on. */
        WAITS_FOR_DISKS,
        /** {@link RedisTransport#converse} works: the adapter has connections on which nobody else's commands come between. */
        CONVERSES
    }
}
