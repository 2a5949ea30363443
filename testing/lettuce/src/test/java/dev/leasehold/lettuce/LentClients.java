package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import java.util.ArrayList;
import java.util.List;

/** Clients as applications have them: with all of Lettuce's defaults, so at least once. */
final class LentClients implements AutoCloseable {

    private final List<RedisClient> clients = new ArrayList<>();

    RedisClient client(ConnectionSettings settings) {
        RedisClient client = RedisClient.create(OwnedClient.uri(settings));
        clients.add(client);
        return client;
    }

    RedisClient atMostOnce(ConnectionSettings settings) {
        RedisClient client = client(settings);
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
        return client;
    }

    @Override
    public void close() {
        clients.forEach(RedisClient::shutdown);
        clients.clear();
    }
}
