package dev.leasehold.chaos.fault;

import dev.leasehold.tck.ClockShim;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedQuorum;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The servers of a run, and the proxies between them and the workers. */
public final class Site implements AutoCloseable {

    private static final Path SERVER_WITH_LIBC = Path.of("/usr/bin/redis-server");
    private static final Duration DOWN_AFTER = Duration.ofSeconds(1);

    /** Replicas and primaries; and the testkit, whose questions each have a connection, the last perhaps still open. */
    private static final Pattern NO_CLIENT = Pattern.compile(" flags=\\S*[SM]| user=leasehold-testkit ");

    private final String topology;
    private final String durability;
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();
    private List<EmbeddedRedis> nodes = List.of();
    private List<String> uris = List.of();
    private @Nullable EmbeddedSentinel sentinel;
    private @Nullable EmbeddedCluster cluster;
    private @Nullable ClockShim clocks;
    private @Nullable Partitions partitions;

    private Site(String topology, String durability) {
        this.topology = topology;
        this.durability = durability;
    }

    /**
     * Starts the servers.
     *
     * @param topology standalone, sentinel, cluster or quorum
     * @param durability none, aof, or replicas, which the clients request
     * @param directory the directory for the data of a standalone server
     * @param movable whether clocks can be moved
     */
    public static Site start(String topology, String durability, Path directory, boolean movable) {
        Site site = new Site(topology, durability);
        try {
            site.start(directory, movable);
            return site;
        } catch (RuntimeException e) {
            site.close();
            throw e;
        }
    }

    private void start(Path directory, boolean movable) {
        EmbeddedRedisBuilder settings;
        if (movable) {
            clocks = ClockShim.compile();
            settings = clocks.settings(SERVER_WITH_LIBC);
        } else {
            settings = EmbeddedRedis.builder();
        }
        if (Partitions.possible()) {
            partitions = Partitions.start();
            settings.executable(ofItsOwnAddress(partitions, movable, directory));
        }
        // Other libraries connect by host and port.
        settings.enableDebugCommand().withoutPassword();
        if (durability.equals("aof")) {
            settings.appendOnly().config("appendfsync", "always");
        }
        switch (topology) {
            case "standalone" -> {
                settings.directory(directory(directory));
                EmbeddedRedis one = settings.start();
                nodes = List.of(one);
                parts.add(one);
                uris = proxied(nodes);
            }
            case "quorum" -> {
                EmbeddedQuorum quorum =
                        EmbeddedQuorum.builder().settings(settings).start();
                parts.add(quorum);
                nodes = quorum.nodes();
                uris = proxied(nodes);
            }
            case "sentinel" -> {
                sentinel = EmbeddedSentinel.builder()
                        .settings(settings)
                        .downAfter(DOWN_AFTER)
                        .start();
                parts.add(sentinel);
                nodes = sentinel.nodes();
                uris = List.of(sentinel.uri());
            }
            case "cluster" -> {
                cluster =
                        EmbeddedCluster.builder().settings(settings).replicas(1).start();
                parts.add(cluster);
                nodes = cluster.nodes();
                uris = List.of(cluster.uri());
            }
            default ->
                throw new IllegalArgumentException(
                        "no topology is called " + topology + "; there are standalone, sentinel, cluster and quorum");
        }
    }

    private static Path ofItsOwnAddress(Partitions partitions, boolean movable, Path directory) {
        Path program = directory.resolveSibling("redis-server");
        try {
            if (movable) {
                return partitions.server(SERVER_WITH_LIBC.toString(), program);
            }
            try (EmbeddedRedis any = EmbeddedRedis.start()) {
                return partitions.server(
                        Objects.requireNonNull(any.info("server").get("executable")), program);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> proxied(List<EmbeddedRedis> servers) {
        servers.forEach(server -> proxies.add(FaultProxy.before(server.uri())));
        return proxies.stream().map(FaultProxy::uri).toList();
    }

    /** Returns the topology. */
    public String topology() {
        return topology;
    }

    /** Returns the durability. */
    String durability() {
        return durability;
    }

    /** Returns the URIs for workers. */
    public List<String> uris() {
        return uris;
    }

    /** Returns all servers that hold data. */
    public List<EmbeddedRedis> nodes() {
        return nodes;
    }

    /** Returns a server that grants locks, chosen at random. */
    EmbeddedRedis primary(Random random) {
        List<EmbeddedRedis> some = primaries();
        return some.get(random.nextInt(some.size()));
    }

    /** Returns all servers that grant locks. */
    public List<EmbeddedRedis> primaries() {
        if (sentinel != null) {
            return List.of(sentinel.primary());
        }
        return cluster != null ? cluster.primaries() : nodes;
    }

    /** Returns the number of replicas of each server that grants locks. */
    public int replicas() {
        return switch (topology) {
            case "sentinel" -> nodes.size() - 1;
            case "cluster" -> 1;
            default -> 0;
        };
    }

    /** Returns the number of connections of clients to all servers. */
    public long connections() {
        return nodes.stream()
                .flatMap(node -> String.valueOf(node.command("CLIENT", "LIST")).lines())
                .filter(line -> !NO_CLIENT.matcher(line).find())
                .count();
    }

    /** Returns the number of keys in the servers that grant locks. */
    public long keys() {
        return primaries().stream()
                .mapToLong(node -> node.command("DBSIZE") instanceof Long size ? size : 0)
                .sum();
    }

    /** Returns the server that grants the lock with this key. */
    public EmbeddedRedis primaryOf(String key) {
        return cluster != null ? cluster.nodeOf(key) : primaries().get(0);
    }

    /** Returns one of the proxies. */
    FaultProxy proxy(Random random) {
        return proxies.get(random.nextInt(proxies.size()));
    }

    EmbeddedSentinel sentinel() {
        if (sentinel == null) {
            throw new IllegalStateException("there is no Sentinel in " + topology);
        }
        return sentinel;
    }

    EmbeddedCluster cluster() {
        if (cluster == null) {
            throw new IllegalStateException("there is no cluster in " + topology);
        }
        return cluster;
    }

    /** Returns the packet filter, if the run has a network namespace of its own. */
    @Nullable
    Partitions partitions() {
        return partitions;
    }

    ClockShim clocks() {
        if (clocks == null) {
            throw new IllegalStateException("the clocks of these servers cannot be moved");
        }
        return clocks;
    }

    /** Ends all faults of servers and network. */
    public void heal() {
        proxies.forEach(FaultProxy::heal);
        for (EmbeddedRedis node : nodes) {
            if (!node.isRunning()) {
                node.restart();
            } else if (node.isPaused()) {
                node.resume();
            }
            node.command("CLIENT", "UNPAUSE");
            unfilled(node);
            disableSnapshotChecks(node);
            permitted(node);
        }
        settle();
    }

    /** Waits until each server has its role again. */
    void settle() {
        if (sentinel != null) {
            sentinel.awaitHealthy();
        }
        if (cluster != null) {
            cluster.awaitHealthy();
        }
    }

    static void unfilled(EmbeddedRedis node) {
        node.command("CONFIG", "SET", "maxmemory", "0");
        node.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }

    /** Makes a server ignore failed snapshots: a run without them has no reason to refuse writes. */
    static void disableSnapshotChecks(EmbeddedRedis node) {
        node.command("CONFIG", "SET", "save", "");
    }

    static void permitted(EmbeddedRedis node) {
        node.command("ACL", "SETUSER", "default", "+@all");
    }

    @Override
    public void close() {
        try {
            for (FaultProxy proxy : proxies) {
                proxy.close();
            }
            for (AutoCloseable part : parts) {
                part.close();
            }
            if (clocks != null) {
                clocks.close();
            }
            if (partitions != null) {
                partitions.end();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the servers do not end", e);
        }
    }
}
