package dev.leasehold.lettuce;

import dev.leasehold.Credentials;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ContractAdapter;
import dev.leasehold.tck.ContractWay;
import dev.leasehold.tck.Topology;
import dev.leasehold.testkit.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Lettuce: with clients of Leasehold's own, and with clients as applications have them. */
public final class LettuceContracts implements ContractAdapter {

    @Override
    public String name() {
        return "Lettuce";
    }

    @Override
    public List<ContractWay> ways() {
        return List.of(
                ContractWay.byUri("own client", LettuceTransport::create)
                        .withConnectors(OwnedClient::connector)
                        .withCredentials(LettuceContracts::lent),
                ContractWay.byLentClient(
                        "lent client",
                        Topology.STANDALONE,
                        settings -> lent(OwnedClient.uri(settings), LettuceTransport::over)),
                ContractWay.byLentClient(
                        "lent client with another URI", Topology.STANDALONE, LettuceContracts::lentWithAnotherUri),
                ContractWay.byLentClient(
                        "lent client of a cluster",
                        Topology.CLUSTER,
                        settings -> ContractWay.lent(
                                RedisClusterClient.create(OwnedClient.uri(settings)),
                                LettuceTransport::over,
                                RedisClusterClient::shutdown)));
    }

    private static RedisTransport lent(RedisURI uri, Function<RedisClient, RedisTransport> over) {
        return ContractWay.lent(RedisClient.create(uri), over, RedisClient::shutdown);
    }

    private static RedisTransport lentWithAnotherUri(ConnectionSettings settings) {
        return lent(OwnedClient.uri(settings), client -> LettuceTransport.over(client, OwnedClient.uri(settings)));
    }

    private static RedisTransport lent(EmbeddedRedis server, Supplier<Credentials> credentials) {
        RedisURI uri = RedisURI.create(server.host(), server.port());
        uri.setCredentialsProvider(() -> Mono.fromSupplier(credentials)
                .map(each -> RedisCredentials.just(each.user(), each.password().toCharArray())));
        return lent(uri, LettuceTransport::over);
    }
}
