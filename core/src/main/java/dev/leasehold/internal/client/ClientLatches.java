package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.recipes.Latches;
import dev.leasehold.spi.RedisNode;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The latches of a client. */
final class ClientLatches implements Latches {

    private final KeyPrefix prefix;
    private final Engine engine;
    private final ServerQueries queries;

    ClientLatches(KeyPrefix prefix, Engine engine, ServerQueries queries) {
        this.prefix = prefix;
        this.engine = engine;
        this.queries = queries;
    }

    private LockKey key(String name) {
        engine.ensureOpen();
        return LockKey.of(prefix, "latch name", name);
    }

    @Override
    public DistributedLatch latch(String name) {
        return engine.latch(key(name));
    }

    @Override
    public List<LatchInfo> list() {
        return list(LockScan::mustAnswer);
    }

    @Override
    public List<LatchInfo> list(Consumer<String> unreachable) {
        return list(LockScan.telling(unreachable));
    }

    private List<LatchInfo> list(BiConsumer<RedisNode, LockUnavailableException> silent) {
        engine.ensureOpen();
        return new LockScan(queries, ListedKeys.own(prefix))
                .read(
                        keys -> keys.stream()
                                .flatMap(key -> engine.inspection().latch(key).stream())
                                .toList(),
                        LatchInfo::name,
                        silent);
    }

    @Override
    public Optional<LatchInfo> find(String name) {
        return engine.inspection().latch(key(name));
    }
}
