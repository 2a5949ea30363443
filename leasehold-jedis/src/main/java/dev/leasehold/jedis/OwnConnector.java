package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisServer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/** Opens Leasehold's own connections, to the server or the Sentinels in a URI and to servers that these name. */
final class OwnConnector extends JedisConnector {

    private final ConnectionSettings settings;

    OwnConnector(ConnectionSettings settings) {
        super(settings.connectorInfo(Trait.BLOCKING, Trait.AT_MOST_ONCE));
        this.settings = settings;
    }

    @Override
    JedisConnection open(@Nullable RedisAddress to, ConnectionPurpose purpose, long timeoutNanos) {
        RedisAddress address = Objects.requireNonNull(to);
        RedisServer server = settings.server(address, purpose);
        int millis = JedisConnection.millis(timeoutNanos);
        OneSocket socket = new OneSocket(server, settings.tls(), millis);
        Connection connection = new Connection(
                socket,
                DefaultJedisClientConfig.builder()
                        .protocol(RedisProtocol.RESP2)
                        .user(server.user())
                        .password(server.password())
                        .database(server.database())
                        .clientName(settings.clientName())
                        // Would need a right more, and Redis 7.2.
                        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                        .socketTimeoutMillis(millis)
                        .build());
        return new JedisConnection(connection, address, socket, purpose);
    }
}
