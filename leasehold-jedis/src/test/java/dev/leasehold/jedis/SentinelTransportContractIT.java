package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;

/** The contract over Jedis, on a primary that sentinels name. */
class SentinelTransportContractIT extends TransportContract {

    private final WatchedPrimary primary = new WatchedPrimary();

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return primary.start(settings);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(new ConnectionSettings(
                URI.create(primary.uri(settings.uri().toString())),
                settings.clientName(),
                settings.connectTimeout(),
                settings.commandTimeout(),
                settings.tls()));
    }

    @Override
    protected Set<String> sentByServers() {
        return Set.of("auth", "client|setname", "info", "ping", "publish", "replconf", "subscribe");
    }

    @AfterAll
    @Override
    protected void stopServer() {
        primary.close();
    }
}
