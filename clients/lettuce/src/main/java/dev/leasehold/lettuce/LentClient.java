package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisSocket;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connectors over clients of the application, which stay open, or on the threads of such. */
final class LentClient {

    private static final Logger LOG = LoggerFactory.getLogger(LentClient.class);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LONGEST_SHUT_DOWN = Duration.ofSeconds(1);

    private LentClient() {}

    /** To the client's own server. */
    static LettuceConnector connector(RedisClient client) {
        ConnectorInfo info = info(client, List.of(), null, "the given client's own address");
        return new LettuceConnector(
                client, (to, purpose) -> RedisURI.create(to.host(), to.port()), info, LentClient::await);
    }

    /** To the server or the Sentinels of a URI. */
    static LettuceConnector connector(RedisClient client, RedisURI uri) {
        return connector(client, uri, LentClient::await);
    }

    /** To the server or the Sentinels of a URI, with a client of its own. */
    static LettuceConnector connector(ClientResources resources, ClientOptions options, RedisURI uri) {
        RedisClient client = careful(resources, options);
        return connector(client, uri, closing -> shutDown(client, closing));
    }

    private static LettuceConnector connector(
            RedisClient client, RedisURI uri, Consumer<CompletableFuture<Void>> afterClose) {
        if (!uri.getSentinels().isEmpty()) {
            return toPrimary(client, uri, afterClose);
        }
        if (uri.getSocket() != null) {
            RedisAddress socket = new RedisAddress(uri.getSocket(), 0);
            ConnectorInfo info = info(client, List.of(socket), null, RedisSocket.SCHEME + "://" + socket);
            return new LettuceConnector(client, (to, purpose) -> uri, info, afterClose);
        }
        List<RedisAddress> server = addresses(List.of(uri));
        ConnectorInfo info = info(client, server, null, text(server));
        return new LettuceConnector(client, (to, purpose) -> elsewhere(uri, to), info, afterClose);
    }

    private static LettuceConnector toPrimary(
            RedisClient client, RedisURI uri, Consumer<CompletableFuture<Void>> afterClose) {
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
        List<RedisAddress> seeds = addresses(sentinels);
        String scheme = uri.isSsl() ? RedisSentinels.TLS_SCHEME : RedisSentinels.SCHEME;
        return new LettuceConnector(
                client,
                (to, purpose) -> purpose.isToSentinel() ? sentinels.get(seeds.indexOf(to)) : withoutSentinels(uri, to),
                info(client, seeds, name, scheme + "://" + text(seeds)),
                afterClose);
    }

    /** The server with all that the URI says of it, and without the Sentinels. */
    private static RedisURI withoutSentinels(RedisURI uri, RedisAddress server) {
        RedisURI there = new RedisURI(server.host(), server.port(), uri.getTimeout());
        there.applySsl(uri);
        there.applyAuthentication(uri);
        there.setDatabase(uri.getDatabase());
        if (uri.getClientName() != null) {
            there.setClientName(uri.getClientName());
        }
        return there;
    }

    /**
     * To the nodes that the client knows. Lettuce opens connections to single nodes only over a client for single servers,
     * so there is one beside it, on its threads and with its options.
     */
    static LettuceConnector connector(RedisClusterClient lent) {
        RedisURI uri = uri(lent);
        List<RedisAddress> seeds = addresses(nodes(lent));
        RedisClient client = careful(lent.getResources(), lent.getOptions());
        return new LettuceConnector(
                client,
                (to, purpose) -> elsewhere(uri, to),
                info(client, seeds, null, text(seeds)),
                closing -> shutDown(client, closing));
    }

    /** Returns a client with these options, apart from what would send a command twice, or end one before its caller does. */
    private static RedisClient careful(ClientResources resources, ClientOptions options) {
        RedisClient client = RedisClient.create(resources);
        client.setOptions(OwnedClient.atMostOnce(options.mutate())
                .timeoutOptions(TimeoutOptions.create())
                .publishOnScheduler(false)
                .build());
        return client;
    }

    private static void shutDown(RedisClient client, CompletableFuture<Void> closing) {
        await(closing.exceptionally(failure -> null)
                .thenCompose(nothing -> client.shutdownAsync(0, 0, TimeUnit.SECONDS)));
    }

    /** Waits, but not on Lettuce's own threads: the application may end these threads next, which must find nothing to do. */
    private static void await(CompletableFuture<Void> closed) {
        if (Thread.currentThread() instanceof FastThreadLocalThread) {
            return;
        }
        try {
            closed.get(LONGEST_SHUT_DOWN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the connections to Redis did not close in time", e);
        }
    }

    /**
     * Returns the URI with whose credentials and security the client connects to each node. The URIs of its nodes have them
     * only if the node whose view of the cluster the client has taken is one that the application named.
     */
    private static RedisURI uri(RedisClusterClient lent) {
        try {
            Method first = RedisClusterClient.class.getDeclaredMethod("getFirstUri");
            first.setAccessible(true);
            return (RedisURI) first.invoke(lent);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "This version of Lettuce does not let Leasehold see the URI of a client of a cluster: pass a RedisClient "
                            + "and the RedisURI of a node instead",
                    e);
        }
    }

    private static List<RedisURI> nodes(RedisClusterClient lent) {
        try {
            return lent.getPartitions().stream().map(RedisClusterNode::getUri).toList();
        } catch (RedisException e) {
            throw LettuceFailures.unsent(e, "the nodes of the given client");
        }
    }

    private static List<RedisAddress> addresses(List<RedisURI> uris) {
        return uris.stream()
                .map(each -> new RedisAddress(each.getHost(), each.getPort()))
                .toList();
    }

    private static String text(List<RedisAddress> addresses) {
        return addresses.stream().map(RedisAddress::toString).collect(Collectors.joining(","));
    }

    /** Another server, spoken to in the same way: with the same user, password, name and security. */
    private static RedisURI elsewhere(RedisURI uri, RedisAddress to) {
        return RedisURI.builder(uri).withHost(to.host()).withPort(to.port()).build();
    }

    private static ConnectorInfo info(
            RedisClient client, List<RedisAddress> seeds, @Nullable String primaryName, String address) {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        if (!seeds.isEmpty() && seeds.get(0).port() > 0) {
            traits.add(Trait.REACHES_ALL_SERVERS);
        }
        if (!client.getOptions().isAutoReconnect()) {
            traits.add(Trait.AT_MOST_ONCE);
        }
        if (client.getOptions().getConfiguredProtocolVersion() != ProtocolVersion.RESP2) {
            traits.add(Trait.RECEIVES_INVALIDATIONS);
        }
        Duration connectTimeout = client.getOptions().getSocketOptions().getConnectTimeout();
        return new ConnectorInfo(seeds, primaryName, address, null, traits, connectTimeout, COMMAND_TIMEOUT);
    }
}
