package dev.leasehold.internal.client;

import dev.leasehold.DistributedLatch;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.LeaderElection;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.inspect.Deadlock;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.inspect.WaitGraph;
import dev.leasehold.internal.check.QuorumCheck;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A client of several servers: the same engine, over a majority. Rejects features that a majority cannot decide, and
 * says why.
 */
final class QuorumClient implements Leasehold, Inspector {

    private final ClientConfig config;
    private final Engine engine;
    private final Shutdown shutdown;
    private final List<Node> nodes;
    private final QuorumParts parts;

    QuorumClient(ClientConfig config, Engine engine, Shutdown shutdown, List<Node> nodes, QuorumParts parts) {
        this.config = config;
        this.engine = engine;
        this.shutdown = shutdown;
        this.nodes = nodes;
        this.parts = parts;
    }

    @Override
    public DistributedLock lock(String name) {
        engine.ensureOpen();
        return engine.lock(QuorumKey.of(config.keyPrefix(), name), config.defaults());
    }

    private static UnsupportedOperationException refused(String what, String why) {
        return new UnsupportedOperationException(
                "a quorum has no " + what + ": " + why + ". Use lock(...), or " + what + " over one server");
    }

    @Override
    public DistributedLock fairLock(String name) {
        throw refused("fair locks", "its servers register waiters in different orders");
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        throw refused("read-write locks", "without a queue that all servers agree on, readers would starve writers");
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        throw refused(
                "semaphores",
                "each server counts by itself, so that several majorities could grant more permits than there are");
    }

    @Override
    public DistributedLock plainLock(String key) {
        throw refused(
                "plain locks", "a string cannot store the fencing token, nor the records that reject late requests");
    }

    @Override
    public MultiLock allOf(String... names) {
        throw severalAtOnce();
    }

    @Override
    public MultiLock allOf(Collection<String> names) {
        throw severalAtOnce();
    }

    private static UnsupportedOperationException severalAtOnce() {
        return refused("several locks at once", "callers that each hold some of the servers would block one another");
    }

    @Override
    public Lease resume(String exported) {
        throw notResumed();
    }

    @Override
    public Lease resume(String exported, LockOptions options) {
        throw notResumed();
    }

    @Override
    public CompletionStage<Lease> resumeAsync(String exported) {
        throw notResumed();
    }

    @Override
    public CompletionStage<Lease> resumeAsync(String exported, LockOptions options) {
        throw notResumed();
    }

    private static UnsupportedOperationException notResumed() {
        return refused("exported leases", "only the holder of a lease knows which servers count for it");
    }

    @Override
    public DistributedLatch latch(String name) {
        throw refused("latches", "its servers would have to agree on a number, and a majority only excludes another");
    }

    @Override
    public LeaderElection leaderElection(String name) {
        throw refused("elections", "candidates wait in a queue, and its servers register them in different orders");
    }

    @Override
    public Inspector inspector() {
        engine.ensureOpen();
        return this;
    }

    @Override
    public List<LockInfo> locks() {
        throw refused("list of locks", "list the locks of each server, or use find(...) for one lock");
    }

    @Override
    public List<LockInfo> locks(Consumer<String> unreachable) {
        return locks();
    }

    @Override
    public WaitGraph waitGraph() {
        throw refused("wait graph", "its servers keep no queue");
    }

    @Override
    public List<Deadlock> deadlocks() {
        throw refused("list of deadlocks", "its servers keep no queue");
    }

    @Override
    public Optional<LockInfo> find(String name) {
        engine.ensureOpen();
        return engine.inspection().of(QuorumKey.of(config.keyPrefix(), name));
    }

    @Override
    public List<LatchInfo> latches() {
        throw refused("latches", "its servers would have to agree on a number, and a majority only excludes another");
    }

    @Override
    public List<LatchInfo> latches(Consumer<String> unreachable) {
        return latches();
    }

    @Override
    public Optional<LatchInfo> findLatch(String name) {
        throw refused("latches", "its servers would have to agree on a number, and a majority only excludes another");
    }

    @Override
    public List<Finding> diagnose() {
        engine.ensureOpen();
        return new QuorumCheck(config, nodes, parts).run();
    }

    /** Runs the checks before the first use. */
    List<Finding> preflight() {
        return QuorumCheck.atConnect(config, nodes);
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
        return "Leasehold[" + config.name() + ", quorum of " + nodes + ", keys "
                + config.keyPrefix().value() + ":{...}]";
    }
}
