package dev.leasehold.internal.redis;

import dev.leasehold.internal.redis.blocking.BlockingPaths;
import dev.leasehold.internal.redis.cluster.ClusterServers;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.PathFactory;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.SilenceLimit;
import dev.leasehold.internal.redis.sentinel.PrimaryRoute;
import dev.leasehold.internal.redis.sentinel.Sentinels;
import dev.leasehold.internal.redis.server.DirectRoute;
import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.internal.redis.server.ServerInfo;
import dev.leasehold.internal.redis.server.Servers;
import dev.leasehold.internal.redis.server.SingleServer;
import dev.leasehold.internal.redis.shared.SharedPaths;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connects to a server, and to the others of its cluster if it is of one; or to the primary that Sentinels name. */
final class Bootstrap {

    private final CountedConnector connector;
    private final ConnectorInfo info;
    private final Scheduler scheduler = new Scheduler();
    private final Invalidations invalidations = new Invalidations();
    private final TimeSource time = TimeSource.system();
    private final PathFactory paths;

    Bootstrap(RedisConnector connector) {
        this.connector = new CountedConnector(connector);
        info = connector.info();
        paths = info.is(Trait.BLOCKING)
                ? new BlockingPaths(info, time)
                : new SharedPaths(info, scheduler, invalidations);
    }

    /**
     * Waits until calls can be sent.
     *
     * @throws RuntimeException of the port, if that is not so within the time; nothing is left open then
     */
    ConnectedRedis connect() {
        try {
            return info.primaryName() == null ? connectToSeeds() : connectToPrimary();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void close() {
        connector.close();
        scheduler.close();
    }

    private ConnectedRedis connectToPrimary() {
        Sentinels sentinels = new Sentinels(connector, paths, scheduler);
        Server primary = server(new PrimaryRoute(connector, sentinels), null);
        SingleServer single = new SingleServer(primary, info, scheduler);
        sentinels.onSwitch(single::switched);
        try {
            return connected(connect(primary, single), () -> {
                sentinels.close("the transport was closed");
                close();
            });
        } catch (RuntimeException e) {
            sentinels.close("the primary could not be used");
            throw e;
        }
    }

    private ConnectedRedis connectToSeeds() {
        List<@Nullable RedisAddress> seeds = new ArrayList<>(info.seeds());
        if (seeds.isEmpty()) {
            seeds.add(null);
        }
        RuntimeException failure = new TransportException("no server is known", false, null);
        for (RedisAddress seed : seeds) {
            Server server = server(seed);
            try {
                Servers servers = connect(server, new SingleServer(server, info, scheduler));
                return connected(servers, this::close);
            } catch (TransportException | RedisErrorException e) {
                // An error tells more than that another node does not answer.
                failure = failure instanceof RedisErrorException ? failure : e;
            }
        }
        throw failure;
    }

    private ConnectedRedis connected(Servers servers, Runnable afterClose) {
        return new ConnectedRedis(connector, servers, invalidations, afterClose);
    }

    private Server server(@Nullable RedisAddress address) {
        return server(DirectRoute.toServer(connector, address), address);
    }

    private Server server(ServerRoute route, @Nullable RedisAddress address) {
        return new Server(route, address, info, paths, invalidations, scheduler);
    }

    private Servers connect(Server seed, SingleServer single) {
        try {
            long end = time.nanoTime() + info.connectTimeout().toNanos();
            ServerInfo about = await(seed.open().thenCompose(opened -> ask(seed::info, seed, end)), seed.address());
            if (!about.inCluster()) {
                refuseIfOthersAreNamed(seed);
                return single;
            }
            refuseIfOthersAreOutOfReach(seed);
            ClusterServers cluster = new ClusterServers(seed, this::server, info, scheduler, about.hasShardChannels());
            return await(ask(() -> cluster.begin(info.connectTimeout().toNanos()), seed, end), seed.address());
        } catch (RuntimeException e) {
            seed.close("it could not be used");
            throw e;
        }
    }

    /**
     * Asks a server; again if its connection was given up as silent, since the limit of silence has grown then. A connection that
     * was lost at once would be lost again.
     */
    private <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> question, Server seed, long end) {
        long askedAt = time.nanoTime();
        return question.get()
                .handle((answer, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(answer);
                    }
                    long now = time.nanoTime();
                    boolean silent = now - askedAt >= SilenceLimit.FLOOR_NANOS
                            && Failures.of(failure, true, seed.address()) instanceof TransportException;
                    return silent && now - end < 0
                            ? ask(question, seed, end)
                            : CompletableFuture.<T>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Each client would take whichever answers first, and have its locks there. */
    private void refuseIfOthersAreNamed(Server seed) {
        if (info.primaryName() == null && info.seeds().size() > 1) {
            throw new IllegalArgumentException("Several servers are named, and " + seed.address()
                    + " is no node of a cluster: locks on one of them would not exclude those on another. Name one server, or connect"
                    + " to all by LeaseholdBuilder.quorum(...)");
        }
    }

    private void refuseIfOthersAreOutOfReach(Server seed) {
        if (info.is(Trait.REACHES_ALL_SERVERS)) {
            return;
        }
        throw new IllegalArgumentException(
                seed.endpoint().port() == 0
                        ? "The Unix socket " + info.address()
                                + " is that of a node of a Redis Cluster, whose other nodes "
                                + "are reached by host and port: connect by redis://host:port"
                        : "The given client leads to a node of a Redis Cluster, and does not tell how to reach the "
                                + "others. Lend a client of the cluster, or name the URI beside the client");
    }

    private <T> T await(CompletionStage<T> stage, String address) {
        try {
            return stage.toCompletableFuture().get(info.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw Failures.of(e, false, address);
        } catch (TimeoutException e) {
            // A server without TLS waits for the end of what it takes for a command, and so do we for its answer.
            String hint = address.startsWith("rediss:") ? "; perhaps it does not speak TLS there" : "";
            throw new TransportException(
                    "no connection to Redis at " + address + " within "
                            + info.connectTimeout().toMillis() + " ms" + hint,
                    false,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while connecting to " + address, false, e);
        }
    }
}
