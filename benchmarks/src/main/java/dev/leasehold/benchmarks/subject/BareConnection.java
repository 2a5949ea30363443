package dev.leasehold.benchmarks.subject;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One Lettuce connection, configured like Leasehold's own, that only runs scripts. */
final class BareConnection implements BareWire {

    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build();
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    BareConnection(String uri) {
        client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .timeoutOptions(TimeoutOptions.create())
                .build());
        connection = client.connect();
    }

    @Override
    public String load(String script) {
        return connection.sync().scriptLoad(script);
    }

    @Override
    public List<String> list(String digest, String[] keys, String[] args) {
        return connection
                .async()
                .<List<String>>evalsha(digest, ScriptOutputType.MULTI, keys, args)
                .toCompletableFuture()
                .join();
    }

    /** Runs a script that answers with a number, and waits for the answer. */
    long number(String digest, String[] keys, String[] args) {
        return connection
                .async()
                .<Long>evalsha(digest, ScriptOutputType.INTEGER, keys, args)
                .toCompletableFuture()
                .join();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
