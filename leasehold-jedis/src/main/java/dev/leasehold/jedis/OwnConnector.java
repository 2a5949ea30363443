package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisServer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisProtocol;

/** Opens Leasehold's own connections, to the server or the Sentinels in a URI and to servers that these name. */
final class OwnConnector extends JedisConnector {

    private final ConnectionSettings settings;
    private final @Nullable RedisSentinels sentinels;
    private final RedisServer first;

    private OwnConnector(ConnectionSettings settings, @Nullable RedisSentinels sentinels, List<RedisServer> seeds) {
        super(new ConnectorInfo(
                seeds.stream()
                        .map(seed -> new RedisAddress(seed.host(), seed.port()))
                        .toList(),
                sentinels == null ? null : sentinels.primaryName(),
                settings.address(),
                Set.of(Trait.BLOCKING, Trait.REACHES_ALL_SERVERS, Trait.AT_MOST_ONCE),
                settings.connectTimeout(),
                settings.commandTimeout()));
        this.settings = settings;
        this.sentinels = sentinels;
        this.first = seeds.get(0);
    }

    static OwnConnector of(ConnectionSettings settings) {
        if (RedisSentinels.areNamedIn(settings.uri())) {
            RedisSentinels sentinels = RedisSentinels.of(settings);
            return new OwnConnector(settings, sentinels, sentinels.sentinels());
        }
        return new OwnConnector(settings, null, List.of(RedisServer.of(settings)));
    }

    @Override
    JedisConnection open(@Nullable RedisAddress to, ConnectionPurpose purpose, long timeoutNanos) {
        RedisAddress address = Objects.requireNonNull(to);
        RedisServer server = sentinels == null || purpose.isToSentinel()
                ? first.elsewhere(address.host(), address.port())
                : sentinels.server(address.host(), address.port());
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
        if (purpose.receivesMessages()) {
            connection.setTimeoutInfinite();
        }
        return new JedisConnection(connection, address, socket);
    }
}
