package dev.leasehold.internal.client;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.check.PreflightCheck;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.LockFormats;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lock.MultiLockView;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderElection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A client: one engine over one transport. */
final class LeaseholdClient implements Leasehold {

    private final ClientConfig config;
    private final Engine engine;
    private final Candidates candidates;
    private final ClientInspector inspector;
    private final ClientDiagnostics diagnostics;
    private final ClientParts parts;
    private final Shutdown shutdown;

    LeaseholdClient(ClientConfig config, EngineParts engineParts, ServerQueries queries, OwnedResources resources) {
        this.config = config;
        this.engine = new Engine(engineParts);
        this.candidates = engine.candidates();
        this.inspector = new ClientInspector(config, engine, queries);
        this.diagnostics = new ClientDiagnostics(
                config,
                engine,
                queries,
                WaitGraphFactory.start(config, engineParts, engine, queries),
                engineParts.time());
        this.parts = new ClientParts()
                .with(Latches.class, new ClientLatches(config.keyPrefix(), engine, queries))
                .with(Elections.class, this::election)
                .with(Diagnostics.class, diagnostics);
        this.shutdown = new Shutdown(config.commandTimeout(), engineParts.time(), engine, candidates, resources);
    }

    @Override
    public DistributedLock lock(String name) {
        LockFormat format = config.formats().of(name);
        if (format != LockFormat.leasehold()) {
            return lock(name, format);
        }
        engine.ensureOpen();
        return engine.lock(LockKey.of(config.keyPrefix(), name), config.defaults());
    }

    @Override
    public DistributedLock fairLock(String name) {
        engine.ensureOpen();
        config.formats().needOwn("fairLock(name)", name);
        return engine.fairLock(LockKey.of(config.keyPrefix(), name), config.defaults());
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        engine.ensureOpen();
        config.formats().needOwn("readWriteLock(name)", name);
        return engine.readWriteLock(LockKey.of(config.keyPrefix(), name), config.defaults());
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        engine.ensureOpen();
        config.formats().needOwn("semaphore(name, permits)", name);
        return engine.semaphore(LockKey.of(config.keyPrefix(), "semaphore name", name), permits, config.defaults());
    }

    @Override
    public DistributedLock lock(String name, LockFormat format) {
        engine.ensureOpen();
        return engine.lock(LockFormats.key(config.keyPrefix(), name, format), config.defaults());
    }

    @Override
    public MultiLock allOf(String... names) {
        return allOf(Arrays.asList(Objects.requireNonNull(names, "names")));
    }

    @Override
    public MultiLock allOf(Collection<String> names) {
        engine.ensureOpen();
        List<LockKey> keys = new ArrayList<>();
        for (String name : MultiLockView.checkNames(names)) {
            config.formats().needOwn("allOf(names)", name);
            keys.add(LockKey.of(config.keyPrefix(), name));
        }
        return engine.multiLock(keys, config.defaults());
    }

    @Override
    public Lease resume(String exported) {
        return resume(exported, config.defaults());
    }

    @Override
    public Lease resume(String exported, LockOptions options) {
        engine.ensureOpen();
        return engine.resume(decoded(exported), options);
    }

    @Override
    public CompletionStage<Lease> resumeAsync(String exported) {
        return resumeAsync(exported, config.defaults());
    }

    @Override
    public CompletionStage<Lease> resumeAsync(String exported, LockOptions options) {
        return engine.resumeAsync(decoded(exported), options);
    }

    private ExportedLease decoded(String exported) {
        ExportedLease lease = ExportedLease.decode(config.keyPrefix(), exported);
        config.formats().needOwn("resume(exported)", lease.key().name());
        return lease;
    }

    @Override
    public Inspector inspector() {
        engine.ensureOpen();
        return inspector;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return parts.get(type);
    }

    private LeaderElection election(String name) {
        engine.ensureOpen();
        config.formats().needOwn("election(name)", name);
        LockKey key = LockKey.of(config.keyPrefix(), "election name", name);
        return candidates.of(engine.fairLock(key, config.defaults()), config.defaults());
    }

    /** Takes notice of what the checks before the first use have found. */
    void found(List<Finding> findings) {
        diagnostics.keep(findings);
        if (PreflightCheck.refusesWakeUps(findings)) {
            engine.wakeUpsRefused();
        }
    }

    /** Begins what needs features of the server that has been reached. */
    void reached() {
        engine.reached();
    }

    @Override
    public List<ReleasedLease> releaseAll() {
        return engine.releaseAll();
    }

    @Override
    public void close() {
        shutdown.run();
    }

    @Override
    public String toString() {
        return "Leasehold[" + config.name() + ", keys " + config.keyPrefix().value() + ":{...}]";
    }
}
