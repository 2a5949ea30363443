package dev.leasehold.jedis;

import dev.leasehold.redis.Redis;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisSocket;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import java.util.List;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * Leasehold over Jedis 5.2 or later, for one Redis or Valkey server, the primary that Sentinels name, or a cluster. Jedis only
 * opens connections; {@link Redis#over} describes what is done with them. No command is sent twice: with a lent
 * client its connections are used, and not its attempts to repeat.
 */
public final class JedisTransport {

    private JedisTransport() {}

    /**
     * Connects with connections of its own, which end with the transport. {@code redis-sentinel} leads to the primary that
     * the sentinels name, and so does {@code rediss-sentinel}, where sentinels and servers speak TLS. Sentinels have a user and
     * a password of their own ({@code &sentinelUser=...&sentinelPassword=...}), or none. Certificates and host names are
     * verified.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect timeout
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if the URI names no host, a user without a password, or a database that is not a
     *     number; or several servers that are no cluster; or sentinels without the name of a primary; or a Unix socket
     */
    public static RedisTransport create(ConnectionSettings settings) {
        if (RedisSocket.isNamedIn(settings.uri())) {
            throw new IllegalArgumentException(
                    "leasehold-jedis has no Unix sockets, for the JDK has none that Jedis could "
                            + "use: connect to redis://host:port, use leasehold-lettuce, or pass a client whose JedisSocketFactory "
                            + "makes such sockets (JedisTransport.over)");
        }
        return Redis.over(OwnConnector.of(settings));
    }

    /**
     * Connects with connections of its own, as {@link #create(ConnectionSettings)}, but by settings of Jedis, which say more
     * than a URI does. Opening a connection may take as long as the timeouts of these settings, whatever the caller's time.
     *
     * @param servers one server, or nodes of a cluster, which are tried in turn and lead to the others
     * @param config how to connect to each of them
     * @return the transport, connected
     * @throws TransportException if no server can be reached
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if no server is named
     */
    public static RedisTransport create(List<HostAndPort> servers, JedisClientConfig config) {
        return Redis.over(OwnConnector.of(servers, null, config, config));
    }

    /**
     * Connects to the primary that sentinels name, else as {@link #create(List, JedisClientConfig)}.
     *
     * @param sentinels their addresses, which are tried in turn
     * @param primaryName the name by which they know the primary
     * @param ofSentinels how to connect to a sentinel
     * @param ofServers how to connect to a primary
     * @return the transport, connected
     * @throws TransportException if no sentinel, or no primary, can be reached
     * @throws RedisErrorException if the primary refuses, for example the password
     * @throws IllegalArgumentException if no sentinel is named
     */
    public static RedisTransport create(
            List<HostAndPort> sentinels,
            String primaryName,
            JedisClientConfig ofSentinels,
            JedisClientConfig ofServers) {
        return Redis.over(OwnConnector.of(sentinels, primaryName, ofSentinels, ofServers));
    }

    /**
     * Connects over a client that the application has: {@code JedisPooled}, {@code RedisClient} of Jedis 7 and later,
     * {@code JedisSentineled}, or any other that has a pool for one server, to that server; {@code JedisCluster} or
     * {@code RedisClusterClient}, which has a pool for each node, to the cluster. The client's settings apply to the
     * connections, which are taken from its pool. Two are kept while they are needed, and one more for waits for replicas. So
     * the pool must have three or more, four if locks wait for replicas or disks, and better as many more than before; in a
     * cluster each pool one more.
     * Callers wait for one within their own time, whatever the pool's {@code maxWait} says, but where the pool has to
     * open one, as long as the client's connect timeout; a Sentinel's client does not show its pool, whose
     * {@code maxWait} must be finite. A broken connection is returned to the pool on a short-lived thread, since the
     * pool may reconnect in its place. The client stays open when the transport is closed; if the client is closed,
     * too, that comes after the transport.
     *
     * @param client a client of one server or of a cluster
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached, or no node of the cluster
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if the client has no pool or one of too few connections, leads to more than one
     *     primary and is none of a cluster, or is one of a single server that turns out to be a node of a cluster
     */
    public static RedisTransport over(UnifiedJedis client) {
        return over(LentConnector.providerOf(client));
    }

    /**
     * Connects over the connections of a client, as {@link #over(UnifiedJedis)}.
     *
     * @param provider of connections to one server or, if it is a {@code ClusterConnectionProvider}, to a cluster
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached, or no node of the cluster
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException as {@link #over(UnifiedJedis)}
     */
    public static RedisTransport over(ConnectionProvider provider) {
        return Redis.over(LentConnector.of(provider));
    }
}
