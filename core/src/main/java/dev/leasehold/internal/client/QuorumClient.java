package dev.leasehold.internal.client;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.inspect.ConnectionInfo;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.NamePattern;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A client of several servers: the same engine, over a majority. Rejects features that a majority cannot decide, and
 * says why.
 */
final class QuorumClient implements Leasehold, QuorumLeasehold, Inspector {

    private final ClientConfig config;
    private final Engine engine;
    private final Shutdown shutdown;
    private final List<Node> nodes;
    private final QuorumDiagnostics diagnostics;
    private final ClientParts unwrapped;

    QuorumClient(ClientConfig config, Engine engine, Shutdown shutdown, List<Node> nodes, QuorumParts parts) {
        this.config = config;
        this.engine = engine;
        this.shutdown = shutdown;
        this.nodes = nodes;
        this.diagnostics = new QuorumDiagnostics(config, engine, nodes, parts);
        this.unwrapped = new ClientParts()
                .with(Latches.class, new NoLatches())
                .with(Elections.class, this::election)
                .with(Diagnostics.class, diagnostics)
                .with(QuorumLeasehold.class, this);
    }

    @Override
    public DistributedLock lock(String name) {
        engine.ensureOpen();
        return engine.lock(QuorumKey.of(config.keyPrefix(), name), config.defaults());
    }

    static UnsupportedOperationException refused(String what, String why) {
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
    public DistributedLock lock(String name, LockFormat format) {
        needOwn(format);
        return lock(name);
    }

    private static void needOwn(LockFormat format) {
        if (format != LockFormat.leasehold()) {
            throw refused(
                    "locks in the format " + Names.escape(format.toString()),
                    "it cannot store the fencing token and the records that reject late requests on each server");
        }
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
    public <T> T unwrap(Class<T> type) {
        return unwrapped.get(type);
    }

    @Override
    public Leasehold asLeasehold() {
        return this;
    }

    private LeaderElection election(String name) {
        throw refused("elections", "candidates wait in a queue, and its servers register them in different orders");
    }

    /** The latches of a quorum: none. */
    private final class NoLatches implements Latches {

        @Override
        public DistributedLatch latch(String name) {
            throw refused(
                    "latches", "its servers would have to agree on a number, and a majority only excludes another");
        }

        @Override
        public List<LatchInfo> list() {
            engine.ensureOpen();
            return List.of();
        }

        @Override
        public List<LatchInfo> list(Consumer<String> unreachable) {
            return list();
        }

        @Override
        public Optional<LatchInfo> find(String name) {
            engine.ensureOpen();
            return Optional.empty();
        }
    }

    @Override
    public Inspector inspector() {
        engine.ensureOpen();
        return this;
    }

    @Override
    public List<LockInfo> locks() {
        return locks(unreachable -> {});
    }

    /** A lock that is held is on a majority, so a majority that answers has all of them. */
    @Override
    public List<LockInfo> locks(Consumer<String> unreachable) {
        engine.ensureOpen();
        TreeMap<String, LockKey> found = new TreeMap<>();
        int answers = 0;
        for (Node node : nodes) {
            if (scan(node, found)) {
                answers++;
            } else {
                unreachable.accept(node.toString());
            }
        }
        if (answers <= nodes.size() / 2) {
            throw new LockUnavailableException(
                    "", false, "only " + answers + " of " + nodes.size() + " servers listed their locks", null);
        }
        return engine.inspection().held(List.copyOf(found.values()));
    }

    @Override
    public List<LockInfo> locks(String pattern, LockFormat format) {
        needOwn(format);
        NamePattern names = new NamePattern(pattern);
        return locks().stream().filter(lock -> names.matches(lock.name())).toList();
    }

    /** Returns whether the server answered. */
    private boolean scan(Node node, Map<String, LockKey> found) {
        Optional<RedisTransport> transport = node.transport();
        if (transport.isEmpty()) {
            return false;
        }
        try {
            new LockScan(
                            new ServerQueries(transport.get(), config.commandTimeout()),
                            ListedKeys.own(config.keyPrefix()))
                    .run(keys -> keys.forEach(key -> add(key.name(), found)), LockScan::mustAnswer);
            return true;
        } catch (LockUnavailableException e) {
            if (e.getCause() instanceof RedisErrorException) {
                throw e;
            }
            return false;
        }
    }

    private void add(String name, Map<String, LockKey> found) {
        found.put(name, QuorumKey.of(config.keyPrefix(), name));
    }

    @Override
    public String address() {
        return nodes.stream().map(Node::toString).collect(Collectors.joining(", "));
    }

    @Override
    public List<ConnectionInfo> connections() {
        return ClientInspector.connections(
                nodes.stream().flatMap(node -> node.transport().stream()).toList());
    }

    @Override
    public Optional<Duration> leastValidity() {
        return engine.leastValidity();
    }

    @Override
    public void ping() {
        engine.ensureOpen();
        int most = nodes.size() / 2 + 1;
        int answers = 0;
        for (Node node : nodes) {
            answers += answers < most && answers(node) ? 1 : 0;
        }
        if (answers < most) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "only " + answers + " of " + nodes.size()
                            + " servers answer. Check that a majority is up and reachable",
                    null);
        }
    }

    private boolean answers(Node node) {
        Optional<RedisTransport> transport = node.transport();
        try {
            transport.ifPresent(to -> new ServerQueries(to, config.commandTimeout()).ping());
            return transport.isPresent();
        } catch (LockUnavailableException e) {
            return false;
        }
    }

    /** Runs the checks before the first use. */
    List<Finding> preflight() {
        return diagnostics.preflight();
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
