package dev.leasehold.micronaut;

import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.spi.RedisTransport;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** Transports over the Lettuce client of the application; the client of Leasehold closes them, and not what is lent. */
@Factory
@Requires(classes = {RedisClient.class, LettuceTransport.class})
final class LentLettuce {

    @Singleton
    @Requires(bean = RedisClient.class, missingBeans = RedisTransport.class)
    RedisTransport transport(RedisClient client) {
        return LettuceTransport.over(client);
    }

    @Singleton
    @Requires(bean = RedisClusterClient.class, missingBeans = RedisTransport.class)
    RedisTransport clusterTransport(RedisClusterClient client) {
        return LettuceTransport.over(client);
    }
}
