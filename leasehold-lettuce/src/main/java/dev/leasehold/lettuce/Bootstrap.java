package dev.leasehold.lettuce;

import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisClient;
import io.netty.util.concurrent.EventExecutorGroup;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Connects to a server, and to the others of its cluster if it is of one. */
final class Bootstrap {

    /** Redis has them since 7.0, and Valkey, which says here with which Redis it is compatible, from its beginning. */
    private static final Pattern HAS_SHARD_CHANNELS = Pattern.compile("redis_version:([7-9]|[1-9]\\d)\\.");

    private final EventExecutorGroup executors;
    private final LettuceConnector connector;
    private final LettuceNode seed;

    Bootstrap(RedisClient client, LettuceConnector connector) {
        this.executors = client.getResources().eventExecutorGroup();
        this.connector = connector;
        this.seed = new LettuceNode(connector, executors);
    }

    /**
     * Waits until calls can be sent.
     *
     * @throws RuntimeException of the port, if that is not so within the time; nothing is left open then
     */
    Servers connect(Duration timeout) {
        String info = await(seed.open().thenCompose(both -> seed.info()), timeout);
        if (!info.contains("cluster_enabled:1")) {
            return seed;
        }
        if (connector.isSocket()) {
            throw abandoned(
                    new IllegalArgumentException(
                            "The Unix socket " + connector.address() + " is that of a node of a "
                                    + "Redis Cluster, whose other nodes are reached by host and port: connect by redis://host:port"));
        }
        if (!connector.knowsItsUri()) {
            throw abandoned(
                    new IllegalArgumentException("The given RedisClient leads to a node of a Redis Cluster, and "
                            + "does not tell how to reach the others. Lend a RedisClusterClient, or name the URI beside the "
                            + "client"));
        }
        Delays delays = new Delays(executors);
        ClusterServers cluster = new ClusterServers(
                prepare -> new ClusterNodes(seed, connector, executors, delays, prepare),
                delays,
                HAS_SHARD_CHANNELS.matcher(info).find());
        return await(cluster.begin(timeout.toNanos()).toCompletableFuture(), timeout);
    }

    private <T> T await(CompletableFuture<T> stage, Duration timeout) {
        try {
            return stage.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw abandoned(Failures.of(e, false, connector.address()));
        } catch (TimeoutException e) {
            // A server without TLS waits for the end of what it takes for a command, and so do we for its answer.
            String hint = connector.address().startsWith("rediss:") ? "; does it speak TLS there?" : "";
            throw abandoned(new TransportException(
                    "no connection to Redis at " + connector.address() + " within " + timeout.toMillis() + " ms" + hint,
                    false,
                    e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw abandoned(new TransportException("interrupted while connecting to " + connector.address(), false, e));
        }
    }

    private RuntimeException abandoned(RuntimeException failure) {
        CompletionStage<Void> unused = seed.close("it could not be used");
        return failure;
    }
}
