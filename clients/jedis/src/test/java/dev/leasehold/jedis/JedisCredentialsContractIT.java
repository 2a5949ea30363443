package dev.leasehold.jedis;

import dev.leasehold.Credentials;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.CredentialsContract;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.function.Supplier;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

class JedisCredentialsContractIT extends CredentialsContract {

    @Override
    protected RedisTransport lent(EmbeddedRedis server, Supplier<Credentials> credentials) {
        PooledConnectionProvider provider = new PooledConnectionProvider(
                new HostAndPort(server.host(), server.port()),
                DefaultJedisClientConfig.builder()
                        .credentialsProvider(() -> credentials(credentials.get()))
                        .build());
        return JedisTransport.over(closing(new UnifiedJedis(provider, 1, Duration.ofSeconds(5))));
    }

    private static DefaultRedisCredentials credentials(Credentials now) {
        return new DefaultRedisCredentials(now.user(), now.password());
    }
}
