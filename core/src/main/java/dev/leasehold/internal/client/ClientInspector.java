package dev.leasehold.internal.client;

import dev.leasehold.LockFormat;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaitGraph;
import dev.leasehold.internal.check.Diagnosis;
import dev.leasehold.internal.check.KeptFindings;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.waitgraph.WaitGraphReader;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads locks, latches and servers over the client's connections. */
final class ClientInspector implements Inspector {

    private final ClientConfig config;
    private final Engine engine;
    private final ServerQueries queries;
    private final WaitGraphReader waits;
    private final KeptFindings findings;

    ClientInspector(ClientConfig config, Engine engine, ServerQueries queries, WaitGraphReader waits, TimeSource time) {
        this.config = config;
        this.engine = engine;
        this.queries = queries;
        this.waits = waits;
        this.findings = new KeptFindings(time);
    }

    @Override
    public String address() {
        return queries.transport().address();
    }

    @Override
    public List<LockInfo> locks() {
        return locks(LockScan::mustAnswer);
    }

    @Override
    public List<LockInfo> locks(Consumer<String> unreachable) {
        Objects.requireNonNull(unreachable, "unreachable");
        return locks((node, failure) -> unreachable.accept(node.toString()));
    }

    private List<LockInfo> locks(BiConsumer<RedisNode, LockUnavailableException> silent) {
        return all(own(), keys -> engine.inspection().held(keys), LockInfo::name, silent);
    }

    /** Returns the held locks of a format whose names match a pattern. */
    List<LockInfo> locks(String pattern, LockFormat format) {
        ListedKeys listed = ListedKeys.of(
                config.keyPrefix(),
                Objects.requireNonNull(pattern, "pattern"),
                Objects.requireNonNull(format, "format"));
        return all(listed, keys -> engine.inspection().held(keys), LockInfo::name, LockScan::mustAnswer);
    }

    private ListedKeys own() {
        return ListedKeys.own(config.keyPrefix());
    }

    @Override
    public WaitGraph waitGraph() {
        Map<LockKey, InspectLock.State> states = states();
        try {
            return waits.graph(states);
        } catch (RedisErrorException e) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "Redis refused to ask processes what their threads wait for: " + e.getMessage() + ". "
                            + RefusalAdvice.of(
                                    e, "The user needs the rights of wake-ups (docs/operations.md, section 2)"),
                    e);
        }
    }

    /** Returns the states of all locks. */
    private Map<LockKey, InspectLock.State> states() {
        Map<LockKey, InspectLock.State> states = new LinkedHashMap<>();
        List<LockKey> unused = all(
                own(),
                keys -> {
                    states.putAll(engine.inspection().states(keys));
                    return keys;
                },
                LockKey::name,
                LockScan::mustAnswer);
        return states;
    }

    @Override
    public List<LatchInfo> latches() {
        return latches(LockScan::mustAnswer);
    }

    @Override
    public List<LatchInfo> latches(Consumer<String> unreachable) {
        Objects.requireNonNull(unreachable, "unreachable");
        return latches((node, failure) -> unreachable.accept(node.toString()));
    }

    private List<LatchInfo> latches(BiConsumer<RedisNode, LockUnavailableException> silent) {
        return all(
                own(),
                keys -> keys.stream()
                        .flatMap(key -> engine.inspection().latch(key).stream())
                        .toList(),
                LatchInfo::name,
                silent);
    }

    /** Reads the keys of all primaries; returns the results ordered by name. */
    private <T> List<T> all(
            ListedKeys listed,
            Function<List<LockKey>, List<T>> reading,
            Function<T, String> name,
            BiConsumer<RedisNode, LockUnavailableException> silent) {
        engine.ensureOpen();
        TreeMap<String, T> found = new TreeMap<>();
        new LockScan(queries, listed)
                .run(keys -> reading.apply(keys).forEach(one -> found.put(name.apply(one), one)), silent);
        return new ArrayList<>(found.values());
    }

    @Override
    public Optional<LockInfo> find(String name) {
        engine.ensureOpen();
        return engine.inspection().of(LockKey.of(config.keyPrefix(), name));
    }

    @Override
    public Optional<LatchInfo> findLatch(String name) {
        engine.ensureOpen();
        return engine.inspection().latch(LockKey.of(config.keyPrefix(), "latch name", name));
    }

    @Override
    public List<Finding> diagnose() {
        engine.ensureOpen();
        return findings.keep(Diagnosis.of(queries, config));
    }

    /** Keeps what the checks before the first use have found. */
    void found(List<Finding> atStart) {
        findings.keep(atStart);
    }

    @Override
    public List<Finding> lastFindings() {
        return findings.get();
    }

    @Override
    public void ping() {
        engine.ensureOpen();
        queries.ping();
    }
}
