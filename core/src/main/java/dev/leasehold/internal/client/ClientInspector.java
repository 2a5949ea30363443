package dev.leasehold.internal.client;

import dev.leasehold.LockFormat;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.ConnectionInfo;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransport.ConnectionCounts;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Lists locks over the client's connections. */
final class ClientInspector implements Inspector {

    private final ClientConfig config;
    private final Engine engine;
    private final ServerQueries queries;

    ClientInspector(ClientConfig config, Engine engine, ServerQueries queries) {
        this.config = config;
        this.engine = engine;
        this.queries = queries;
    }

    @Override
    public String address() {
        return queries.transport().address();
    }

    @Override
    public List<LockInfo> locks() {
        return locks(ListedKeys.own(config.keyPrefix()), LockScan::mustAnswer);
    }

    @Override
    public List<LockInfo> locks(Consumer<String> unreachable) {
        return locks(ListedKeys.own(config.keyPrefix()), LockScan.telling(unreachable));
    }

    @Override
    public List<LockInfo> locks(String pattern, LockFormat format) {
        ListedKeys listed = ListedKeys.of(
                config.keyPrefix(),
                Objects.requireNonNull(pattern, "pattern"),
                Objects.requireNonNull(format, "format"));
        return locks(listed, LockScan::mustAnswer);
    }

    private List<LockInfo> locks(ListedKeys listed, BiConsumer<RedisNode, LockUnavailableException> silent) {
        engine.ensureOpen();
        return new LockScan(queries, listed).read(keys -> engine.inspection().held(keys), LockInfo::name, silent);
    }

    @Override
    public List<ConnectionInfo> connections() {
        return connections(List.of(queries.transport()));
    }

    /** Returns the connections of several transports together. */
    static List<ConnectionInfo> connections(List<RedisTransport> transports) {
        return Stream.of(ConnectionPurpose.values())
                .map(purpose -> {
                    ConnectionCounts all = transports.stream()
                            .map(transport -> transport.connections().getOrDefault(purpose, ConnectionCounts.NONE))
                            .reduce(ConnectionCounts.NONE, ConnectionCounts::plus);
                    String name = purpose.name().toLowerCase(Locale.ROOT);
                    return new ConnectionInfo(name, all.open(), all.opened(), all.failed());
                })
                .toList();
    }

    @Override
    public Optional<Duration> leastValidity() {
        return engine.leastValidity();
    }

    @Override
    public void ping() {
        engine.ensureOpen();
        queries.ping();
    }
}
