package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.Inspection;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads locks and servers over the client's connections. */
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
    public List<LockInfo> locks() {
        engine.ensureOpen();
        TreeMap<String, LockInfo> held = new TreeMap<>();
        for (RedisNode node : queries.describe().nodes()) {
            if (node.primary()) {
                scan(node, held);
            }
        }
        return new ArrayList<>(held.values());
    }

    private void scan(RedisNode node, Map<String, LockInfo> held) {
        List<String> keys;
        try {
            keys = queries.scan(node, config.keyPrefix().scanPattern());
        } catch (RedisErrorException e) {
            throw new LockUnavailableException(
                    "", false, "Redis refused to list the locks: " + e.getMessage() + ". The user needs +scan", e);
        }
        for (String key : keys) {
            LockKey lock = LockKey.parse(config.keyPrefix(), key);
            if (lock != null && !held.containsKey(lock.name())) {
                Inspection.findOrSkip(engine, lock).ifPresent(info -> held.put(info.name(), info));
            }
        }
    }

    @Override
    public Optional<LockInfo> find(String name) {
        engine.ensureOpen();
        return Inspection.of(engine, LockKey.of(config.keyPrefix(), name));
    }

    @Override
    public List<Finding> diagnose() {
        engine.ensureOpen();
        return new PreflightCheck(queries, config).run();
    }
}
