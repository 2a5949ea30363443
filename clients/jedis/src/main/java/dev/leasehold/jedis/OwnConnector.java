package dev.leasehold.jedis;

import dev.leasehold.Credentials;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.SocketOpener;
import dev.leasehold.spi.TimeSource;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Opens Leasehold's own connections, to the servers or the Sentinels that were named and to servers that these name. */
final class OwnConnector extends JedisConnector {

    private static final Set<Trait> TRAITS = Set.of(Trait.BLOCKING, Trait.AT_MOST_ONCE, Trait.REACHES_ALL_SERVERS);

    private static final TimeSource TIME = TimeSource.system();

    private final Introduction introduction;

    /** How a server is reached, and what is said to it first. */
    private record Terms(JedisSocketFactory sockets, JedisClientConfig config) {}

    /** Knows the terms of each server. */
    private interface Introduction {
        Terms to(RedisAddress server, ConnectionPurpose purpose, long timeoutNanos);
    }

    private OwnConnector(ConnectorInfo info, Introduction introduction) {
        super(info);
        this.introduction = introduction;
    }

    /** By a URI. */
    static OwnConnector of(ConnectionSettings settings) {
        return new OwnConnector(
                settings.connectorInfo(Trait.BLOCKING, Trait.AT_MOST_ONCE),
                (to, purpose, timeoutNanos) -> login(settings, to, purpose, timeoutNanos));
    }

    /** The credentials are asked for within the time of the connection. */
    private static Terms login(
            ConnectionSettings settings, RedisAddress to, ConnectionPurpose purpose, long timeoutNanos) {
        RedisServer server = settings.server(to, purpose);
        CredentialsSource source = settings.credentials(purpose);
        if (source == null) {
            return terms(settings, server, JedisConnection.millis(timeoutNanos));
        }
        long deadline = TIME.nanoTime() + timeoutNanos;
        Credentials credentials = source.await(timeoutNanos);
        return terms(settings, server.as(credentials), JedisConnection.millis(deadline - TIME.nanoTime()));
    }

    private static Terms terms(ConnectionSettings settings, RedisServer server, int millis) {
        JedisSocketFactory sockets = () -> {
            try {
                return SocketOpener.open(server, settings.tls(), millis);
            } catch (IOException e) {
                throw new JedisConnectionException(server + " cannot be reached", e);
            }
        };
        JedisClientConfig config = DefaultJedisClientConfig.builder()
                // Without a protocol: Jedis sends HELLO for one, which the server may refuse, and a connection begins
                // with RESP2.
                .user(server.user())
                .password(server.password())
                .database(server.database())
                .clientName(settings.clientName())
                // Would need a right more, and Redis 7.2.
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .socketTimeoutMillis(millis)
                .build();
        return new Terms(sockets, config);
    }

    /** By settings of Jedis, for the servers, or for Sentinels and the primary that they name. */
    static OwnConnector of(
            List<HostAndPort> seeds,
            @Nullable String primaryName,
            JedisClientConfig ofSentinels,
            JedisClientConfig ofServers) {
        List<RedisAddress> addresses = seeds.stream()
                .map(each -> new RedisAddress(each.getHost(), each.getPort()))
                .toList();
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("No server is named: pass one address or more");
        }
        String list = addresses.stream().map(RedisAddress::toString).collect(Collectors.joining(","));
        String text = primaryName == null ? list : primaryName + " by sentinels " + list;
        ConnectorInfo info = new ConnectorInfo(
                addresses, primaryName, text, ofServers.getUser(), TRAITS, CONNECT_TIMEOUT, COMMAND_TIMEOUT);
        return new OwnConnector(info, (to, purpose, timeoutNanos) -> {
            JedisClientConfig config = purpose.isToSentinel() ? ofSentinels : ofServers;
            HostAndPort endpoint = new HostAndPort(to.host(), to.port());
            return new Terms(new DefaultJedisSocketFactory(endpoint, config), config);
        });
    }

    @Override
    JedisConnection open(@Nullable RedisAddress to, ConnectionPurpose purpose, long timeoutNanos) {
        RedisAddress address = Objects.requireNonNull(to);
        Terms terms = introduction.to(address, purpose, timeoutNanos);
        OneSocket socket = new OneSocket(terms.sockets());
        return new JedisConnection(new Connection(socket, terms.config()), address, socket, purpose);
    }
}
