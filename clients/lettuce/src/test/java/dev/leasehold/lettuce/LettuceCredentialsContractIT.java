package dev.leasehold.lettuce;

import dev.leasehold.Credentials;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.CredentialsContract;
import dev.leasehold.testkit.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

class LettuceCredentialsContractIT extends CredentialsContract {

    @Override
    protected RedisTransport lent(EmbeddedRedis server, Supplier<Credentials> credentials) {
        RedisURI uri = RedisURI.create(server.host(), server.port());
        uri.setCredentialsProvider(() -> Mono.fromSupplier(credentials)
                .map(each -> RedisCredentials.just(each.user(), each.password().toCharArray())));
        return LettuceTransport.over(closing(RedisClient.create(uri)));
    }
}
