package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.check.PreflightCheck;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.QuorumConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.time.BoundedWait;
import dev.leasehold.spi.RedisTransport;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the servers of a quorum in parallel, and keeps retrying those that do not answer. A server that does not
 * qualify is rejected: at the start by an exception, later by leaving it out.
 */
final class QuorumConnector {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.client");
    private static final long RETRY_NANOS = 1_000_000_000;
    private static final long FIRST_NANOS = 1_000_000_000;

    private final ClientConfig config;
    private final QuorumConfig quorum;
    private final List<Node> nodes;
    private final QuorumParts parts;
    private final Map<String, Node> runIds = new ConcurrentHashMap<>();
    private final Map<Node, String> problems = new ConcurrentHashMap<>();
    private final Map<Node, FindingLog> logs = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable RuntimeException> refusal = new AtomicReference<>();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean closed;

    QuorumConnector(ClientConfig config, QuorumConfig quorum, List<Node> nodes, QuorumParts parts) {
        this.config = config;
        this.quorum = quorum;
        this.nodes = nodes;
        this.parts = parts;
    }

    /**
     * Returns when a majority is connected and the other servers have had one node timeout more.
     *
     * @param later whether a majority may be connected later; then this returns after a second at the latest
     */
    void connect(boolean later) {
        open.set(nodes.size());
        for (Node node : nodes) {
            parts.run(() -> {
                try {
                    connect(node);
                } finally {
                    open.decrementAndGet();
                }
            });
        }
        long most = config.connectTimeout().toNanos();
        BoundedWait.forStart(parts.time(), later ? Math.min(most, FIRST_NANOS) : most)
                .until(() -> open.get() == 0 || enough());
        BoundedWait.forStart(parts.time(), quorum.nodeTimeout().toNanos()).until(() -> open.get() == 0);
        RuntimeException refused = refusal.get();
        if (refused != null) {
            throw refused;
        }
        if (!enough() && later) {
            LOG.warn("the client starts without its servers, which it tries to reach each second: {}", tooFew());
        } else if (!enough()) {
            throw new LockUnavailableException("", false, tooFew(), null);
        }
    }

    private boolean enough() {
        return nodes.stream().filter(Node::connected).count() > nodes.size() / 2;
    }

    private String tooFew() {
        String silent = nodes.stream()
                .filter(node -> !node.connected())
                .map(node -> node + " (" + problems.getOrDefault(node, "no answer in time") + ")")
                .collect(Collectors.joining(", "));
        return "no majority of the " + nodes.size() + " servers of the quorum can be reached: " + silent
                + ". Check that they are up and that addresses and ports are right";
    }

    private void connect(Node node) {
        RedisTransport transport = null;
        try {
            transport = Transports.open(config, quorum.uris().get(node.index()));
            connect(node, transport);
            if (closed) {
                transport.close();
            }
            return;
        } catch (IllegalArgumentException | IllegalStateException e) {
            refusal.compareAndSet(null, e);
            String reason = Names.escapeReason(e.getMessage());
            if (!reason.equals(problems.put(node, reason))) {
                LOG.error(
                        "a server of the quorum is left out until it fits; it is tried again each second: {}", reason);
            }
        } catch (RuntimeException e) {
            problems.put(node, Names.escapeReason(e.getMessage()));
            LOG.debug("{} of the quorum cannot be reached; it is tried again", node, e);
        }
        if (transport != null) {
            transport.close();
        }
        if (!closed) {
            parts.runAfter(() -> connect(node), RETRY_NANOS);
        }
    }

    /** Refuses a server that cannot be one of a quorum; returns its id. */
    private String checked(Node node, ServerQueries queries) {
        Map<String, String> server = queries.info(null, "server");
        if (!"standalone".equals(server.getOrDefault("redis_mode", "standalone"))) {
            throw refused(node, "is a node of a cluster, or a Sentinel");
        }
        if ("slave".equals(queries.info(null, "replication").get("role"))) {
            throw refused(node, "is a replica");
        }
        if (config.startsWithoutRedis()) {
            // Without the option all servers are checked together, when the client has been put together.
            FirstContact.check(
                    config.preflight(),
                    new PreflightCheck(queries, config)::run,
                    PreflightCheck::neverSafe,
                    logs.computeIfAbsent(node, first -> new FindingLog()));
        }
        String runId = server.get("run_id");
        if (runId == null) {
            throw refused(
                    node,
                    "names no run_id in INFO (Dragonfly names none), so it could restart and forget locks unnoticed");
        }
        return runId;
    }

    private void connect(Node node, RedisTransport transport) {
        ServerQueries queries = new ServerQueries(transport, config.connectTimeout());
        String runId = checked(node, queries);
        // A server that restarts until it can join has another id each time.
        runIds.values().removeIf(node::equals);
        Node twin = runIds.putIfAbsent(runId, node);
        if (twin != null && twin != node) {
            throw refused(node, "is the same server as " + twin);
        }
        // There is no queue, so no receivers of wake-ups are counted.
        ServerQueries.TimeSample sample = queries.time(parts.time());
        LockStore store = new ScriptStore(
                transport,
                new ScriptBindings(new TokenMemory(config.rememberTokens()), false),
                new ServerClocks(parts.time(), sample.time(), sample.sentAt()));
        QuorumRequest.Joined joined = queries.await(store.send(new QuorumRequest.Join(
                parts.marker(), parts.longest(), config.connectTimeout().toNanos())));
        if (joined.code() == QuorumRequest.Joining.OTHER) {
            throw new IllegalArgumentException(node + " belongs to a quorum with another longest lease ("
                    + Long.parseLong(joined.detail()) / 1000 + " ms with drift) than "
                    + config.maxLeaseTime() + ". Give all its clients the same maxLeaseTime(...)");
        }
        if (joined.code() == QuorumRequest.Joining.FOREIGN) {
            throw new IllegalStateException("the key " + parts.marker() + " of " + node + " holds something else: "
                    + Names.escape(joined.detail()) + ". Use another key prefix, or remove that key");
        }
        node.connect(transport, store, blocksUntilAnswered(transport));
    }

    /**
     * Returns whether a transport blocks its caller until the server answers. Tries twice, because one answer may
     * merely be quick.
     */
    private static boolean blocksUntilAnswered(RedisTransport transport) {
        for (int n = 0; n < 2; n++) {
            if (!transport.command(null, List.of("TIME")).toCompletableFuture().isDone()) {
                return false;
            }
        }
        return true;
    }

    private static IllegalArgumentException refused(Node node, String what) {
        return new IllegalArgumentException(node + " cannot be a server of a quorum: it " + what
                + ". Give independent standalone primaries, each once");
    }

    void close() {
        closed = true;
    }
}
