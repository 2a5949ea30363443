package dev.leasehold.lettuce;

import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A client of a cluster that the application has. Lettuce opens connections to single nodes only over a client for single
 * servers, so there is one beside it, on its threads, with its options but without what would send a command twice.
 */
final class LentCluster {

    /** Lettuce ends each attempt to connect itself, by the timeouts of the client's options and of the URI. */
    static final Duration ENDED_BY_LETTUCE = Duration.ofDays(1);

    private final RedisClusterClient lent;
    private final RedisClient client;

    LentCluster(RedisClusterClient lent) {
        this.lent = lent;
        client = RedisClient.create(lent.getResources());
        client.setOptions(AtMostOnce.set(lent.getOptions().mutate()).build());
    }

    RedisClient client() {
        return client;
    }

    /** Connects over the first that answers of the nodes that the lent client knows. */
    Servers connect() {
        try {
            RuntimeException last = new TransportException("the given client knows no node", false, null);
            for (RedisURI uri : nodes()) {
                Endpoint endpoint = new Endpoint(uri.getHost(), uri.getPort());
                try {
                    return new Bootstrap(client, new LettuceConnector(client, uri, endpoint.toString()))
                            .connect(ENDED_BY_LETTUCE);
                } catch (TransportException e) {
                    last = e;
                }
            }
            throw last;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private List<RedisURI> nodes() {
        try {
            return lent.getPartitions().stream().map(RedisClusterNode::getUri).toList();
        } catch (RedisException e) {
            throw Failures.of(e, false, "the nodes of the given client");
        }
    }

    /** Ends what was opened here; the lent client and its threads stay. */
    void close() {
        CompletionStage<Void> unused = client.shutdownAsync(0, 0, TimeUnit.SECONDS);
    }
}
