package dev.leasehold.jedis;

import dev.leasehold.Credentials;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ContractAdapter;
import dev.leasehold.tck.ContractWay;
import dev.leasehold.tck.Topology;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Jedis: with connections of Leasehold's own, and with clients as applications have them. */
public final class JedisContracts implements ContractAdapter {

    private static final int CONNECTIONS = 8;

    @Override
    public String name() {
        return "Jedis";
    }

    @Override
    public List<ContractWay> ways() {
        return List.of(
                ContractWay.byUri("own client", JedisTransport::create)
                        .withConnectors(OwnConnector::of)
                        .withCredentials(JedisContracts::lent)
                        .answeringOnCallersThread(),
                ContractWay.byLentClient("lent client", Topology.STANDALONE, JedisContracts::lent)
                        .answeringOnCallersThread(),
                ContractWay.byLentClient(
                                "lent client of a cluster",
                                Topology.CLUSTER,
                                settings -> lent(LentClients.ofCluster(settings, CONNECTIONS)))
                        .answeringOnCallersThread()
                        // Such a client fails by itself where no server listens.
                        .without("TransportFailureContract"));
    }

    private static RedisTransport lent(UnifiedJedis client) {
        return ContractWay.lent(client, JedisTransport::over, UnifiedJedis::close);
    }

    private static RedisTransport lent(ConnectionSettings settings) {
        return lent(LentClients.create(settings, DefaultJedisClientConfig.builder(), CONNECTIONS));
    }

    private static RedisTransport lent(EmbeddedRedis server, Supplier<Credentials> credentials) {
        PooledConnectionProvider provider = new PooledConnectionProvider(
                new HostAndPort(server.host(), server.port()),
                DefaultJedisClientConfig.builder()
                        .credentialsProvider(() -> credentials(credentials.get()))
                        .build());
        return lent(new UnifiedJedis(provider, 1, Duration.ofSeconds(5)));
    }

    private static DefaultRedisCredentials credentials(Credentials now) {
        return new DefaultRedisCredentials(now.user(), now.password());
    }
}
