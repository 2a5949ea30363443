package dev.leasehold.lettuce;

import dev.leasehold.redis.Redis;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;

/**
 * Leasehold over Lettuce, for one Redis or Valkey server, the primary that Sentinels name, or a cluster. Lettuce only opens
 * connections; {@link Redis#over} describes what is done with them.
 *
 * <p>No command is sent twice, even over a lent client, whatever its options: a connection opened here is closed as soon as
 * it is disconnected, before Lettuce reconnects it. Since that client could still be told to behave otherwise, {@link
 * RedisTransport#describe()} reports AT_MOST_ONCE only if its automatic reconnection was off when it was lent.
 *
 * <p>Stages complete on Lettuce's I/O threads: what depends on them must not block.
 */
public final class LettuceTransport {

    private LettuceTransport() {}

    /**
     * Connects with a Lettuce client of its own, which ends with the transport. It has four daemon threads and a timer.
     * {@code redis-sentinel} leads to the primary that the sentinels name, and so does {@code rediss-sentinel}, where
     * sentinels and servers speak TLS. Sentinels have a user and a password of their own
     * ({@code &sentinelUser=...&sentinelPassword=...}), or none.
     * Certificates and host names of {@code rediss} servers are verified. {@code redis-socket} leads to the Unix socket of
     * one server, and needs Netty's native transport (epoll or kqueue), which the application adds.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect timeout
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if the URI names no host, a user without a password, or a database that is not a
     *     number; or several servers that are no cluster; or sentinels without the name of a primary; or the Unix socket of a node
     *     of a cluster
     * @throws IllegalStateException if it names a Unix socket, and Netty has no native transport here; the message says
     *     what to add
     */
    public static RedisTransport create(ConnectionSettings settings) {
        return Redis.over(OwnedClient.connector(settings));
    }

    /**
     * Connects with a Lettuce client of its own, as {@link #create(ConnectionSettings)}, but on threads of the application
     * and by settings of Lettuce, which say more than a URI does. The timeout to connect is that of the options.
     *
     * @param resources threads, and how host names are resolved; they stay open
     * @param options how to connect; whatever would send a command twice is switched off
     * @param uri the server, or the sentinels and the name of the primary
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect timeout
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if sentinels are named without the name of a primary
     */
    public static RedisTransport create(ClientResources resources, ClientOptions options, RedisURI uri) {
        return Redis.over(LentClient.connector(resources, options, uri));
    }

    /**
     * Connects over a client that the application has, to the server of the client's own URI. The client stays open when
     * the transport is closed, and its options, resources and listeners apply to the connections.
     *
     * <p>If that URI names sentinels, Lettuce asks them at each new connection. What they publish is not heard, since the
     * client does not tell where they are: the server that was the primary is left when its connections break or it refuses
     * a write. Where another is put in the place of one that runs, hand the URI over, too: {@link #over(RedisClient, RedisURI)}.
     *
     * @param client a client made with a URI
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    public static RedisTransport over(RedisClient client) {
        return Redis.over(LentClient.connector(client));
    }

    /**
     * Connects over a client that the application has, to a server of choice, or to the primary that sentinels name; else as
     * {@link #over(RedisClient)}. The sentinels of such a URI keep their own users and passwords.
     *
     * @param client a client
     * @param uri the server, or the sentinels and the name of the primary
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    public static RedisTransport over(RedisClient client, RedisURI uri) {
        return Redis.over(LentClient.connector(client, uri));
    }

    /**
     * Connects to the Redis Cluster of a client that the application has. Its resources, credentials and options apply
     * to the connections, but nothing is sent twice, whatever the options say; its listeners do not apply. It stays open
     * when the transport is closed.
     *
     * @param client a client of a cluster
     * @return the transport, connected
     * @throws TransportException if no node of the cluster can be reached
     * @throws RedisErrorException if the node that was asked refuses, for example the password
     */
    public static RedisTransport over(RedisClusterClient client) {
        return Redis.over(LentClient.connector(client));
    }
}
