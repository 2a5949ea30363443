package dev.leasehold.spi;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a connector leads to, and how its connections behave.
 *
 * @param seeds the server, or the nodes of a cluster that are tried in turn, or the Sentinels; empty for the own server of
 *     a client that does not tell its address
 * @param primaryName the name under which the Sentinels know the primary; null if the seeds are no Sentinels
 * @param address the seeds for messages, without secrets
 * @param user the user of its connections, for messages; null if it is not always the same or the client does not tell it
 * @param traits how the connector behaves
 * @param connectTimeout how long a connection may take
 * @param commandTimeout the longest time that a caller waits for an answer
 */
public record ConnectorInfo(
        List<RedisAddress> seeds,
        @Nullable String primaryName,
        String address,
        @Nullable String user,
        Set<Trait> traits,
        Duration connectTimeout,
        Duration commandTimeout) {

    /** Copies the collections. */
    public ConnectorInfo {
        seeds = List.copyOf(seeds);
        traits = Set.copyOf(traits);
    }

    /**
     * Returns whether the connector behaves in some way.
     *
     * @param trait the way
     * @return whether it is among the traits
     */
    public boolean is(Trait trait) {
        return traits.contains(trait);
    }

    /** A way in which connectors differ. */
    public enum Trait {
        /** {@link RedisConnection#send} blocks until all is answered, and {@link RedisConnector#connect} until it is open. */
        BLOCKING,
        /**
         * Connections come from a pool of the application, to which closing them gives them back: so none is kept while
         * nothing is sent, except for the one for batches and the one for subscriptions.
         */
        POOLED,
        /** It connects also to servers that are not among the seeds, as clusters and Sentinels need it. */
        REACHES_ALL_SERVERS,
        /** It is certain that no command is sent twice, whatever the options of a client that the application has made. */
        AT_MOST_ONCE,
        /**
         * A connection for {@link ConnectionPurpose#TRACKED_COMMANDS} speaks RESP3, if the server does, and hands invalidations to its
         * {@link PushListener}.
         */
        RECEIVES_INVALIDATIONS
    }
}
