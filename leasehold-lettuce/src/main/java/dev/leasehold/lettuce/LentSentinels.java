package dev.leasehold.lettuce;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Sentinels by a URI of Lettuce's, of an application that lends its client. */
final class LentSentinels {

    /** The first timeout of Sentinels, to which the client must still connect. */
    static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

    private LentSentinels() {}

    static LettuceConnector connector(RedisClient client, RedisURI uri) {
        String name = uri.getSentinelMasterId();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "The URI names sentinels, and no primary: set its sentinelMasterId to the name that they know it by");
        }
        List<RedisURI> sentinels = List.copyOf(uri.getSentinels());
        if (sentinels.stream().anyMatch(each -> each.getHost() == null)) {
            throw new IllegalArgumentException(
                    "The URI names a sentinel by a Unix socket, which leasehold-lettuce does not take: give host and port");
        }
        String address = Sentinels.scheme(uri)
                + sentinels.stream()
                        .map(each -> new Endpoint(each.getHost(), each.getPort()).toString())
                        .collect(Collectors.joining(","));
        return new LettuceConnector(
                client,
                new Sentinels(client, sentinels, name, address, PATIENCE_NANOS),
                each -> of(uri, each),
                address);
    }

    /** The server with all that the URI says of it, and without the sentinels. */
    private static RedisURI of(RedisURI uri, Endpoint server) {
        RedisURI there = new RedisURI(server.host(), server.port(), uri.getTimeout());
        there.applySsl(uri);
        there.applyAuthentication(uri);
        there.setDatabase(uri.getDatabase());
        if (uri.getClientName() != null) {
            there.setClientName(uri.getClientName());
        }
        return there;
    }
}
