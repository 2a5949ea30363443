package dev.leasehold.internal.quorum;

import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.ForceReleaseScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewManyScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Presents several independent servers to the engine as one. The engine acquires, renews and releases with the same
 * script calls as for one server, and gets the decision of a majority as the script's reply. The rules that make this
 * safe are here: ids that are used once, renewal rounds that only extend, servers that do not count, and releases on
 * all servers. The rules of leases, their renewal and their loss stay in the engine, and are the same as for one
 * server.
 *
 * <p>Based on the Redlock algorithm (redis.io, "Distributed Locks with Redis").
 */
public final class QuorumTransport implements RedisTransport {

    /** The time for which the number of failed tries is remembered. */
    private static final long REMEMBERED_NANOS = 1_000_000_000;

    private final List<Node> nodes;
    private final QuorumParts parts;
    private final Quorum quorum;
    private final Map<String, QuorumHold> holds = new ConcurrentHashMap<>();
    private final Map<QuorumHold, String> owners = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** Creates a transport over servers of which at least a majority was reached. */
    public QuorumTransport(List<Node> nodes, QuorumParts parts) {
        this.nodes = List.copyOf(nodes);
        this.parts = parts;
        this.quorum = new Quorum(nodes, parts);
    }

    /** Returns the time that the engine uses as the time of Redis. */
    public ServerTime timeAt(long nanos) {
        return quorum.timeAt(nanos);
    }

    /** Removes a hold once its release on all servers is complete. */
    void forget(QuorumHold hold) {
        String id = owners.remove(hold);
        if (id != null) {
            // A later try of the same acquisition reads the number of failed tries.
            Timer.Timeout unused = parts.timer().schedule(() -> holds.remove(id, hold), REMEMBERED_NANOS);
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        String name = call.script().name();
        if (name.equals(AcquireScript.SCRIPT.name())) {
            return acquire(call);
        }
        if (name.equals(ReleaseScript.SCRIPT.name())) {
            return release(call);
        }
        if (name.equals(RenewScript.SCRIPT.name())) {
            return new RenewRound(quorum, call, holdsOf(List.of(QuorumScripts.id(call)))).begin();
        }
        if (name.equals(RenewManyScript.SCRIPT.name())) {
            return new RenewRound(quorum, call, holdsOf(QuorumScripts.ids(call))).begin();
        }
        if (name.equals(InspectScript.SCRIPT.name()) || name.equals(ForceReleaseScript.SCRIPT.name())) {
            return new QuorumQuery(quorum, call).begin();
        }
        return CompletableFuture.failedFuture(new UnsupportedOperationException("a quorum has no " + name));
    }

    private CompletionStage<List<String>> acquire(ScriptCall call) {
        String id = QuorumScripts.id(call);
        QuorumHold before = holds.get(id);
        QuorumHold hold = new QuorumHold(
                quorum,
                id + "." + numbers.incrementAndGet(),
                call,
                before == null ? 0 : before.failedTries() + 1,
                this::forget);
        owners.put(hold, id);
        holds.put(id, hold);
        if (before != null) {
            before.abandon();
        }
        return hold.begin();
    }

    private CompletionStage<List<String>> release(ScriptCall call) {
        QuorumHold hold = holds.get(QuorumScripts.id(call));
        long now = parts.time().nanoTime();
        return hold == null ? CompletableFuture.completedFuture(quorum.reply("gone", now, "free")) : hold.release(now);
    }

    private List<@Nullable QuorumHold> holdsOf(List<String> ids) {
        List<@Nullable QuorumHold> found = new ArrayList<>();
        ids.forEach(id -> found.add(holds.get(id)));
        return found;
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<CompletionStage<List<String>>> stages = new ArrayList<>();
        calls.forEach(call -> stages.add(eval(call)));
        return stages;
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("a quorum has no queue"));
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        List<RedisNode> all = new ArrayList<>();
        String version = "";
        for (Node node : nodes) {
            Node.Link link = node.link();
            if (link != null) {
                all.addAll(link.description().nodes());
                version = link.description().version();
            }
        }
        Set<Capability> capabilities = EnumSet.of(Capability.AT_MOST_ONCE);
        return CompletableFuture.completedFuture(new ServerDescription(version, all, capabilities));
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode wanted, List<String> args) {
        for (Node node : nodes) {
            Node.Link link = node.link();
            if (link != null && (wanted == null || link.description().nodes().contains(wanted))) {
                return link.transport().command(wanted, args);
            }
        }
        return CompletableFuture.failedFuture(new TransportException(wanted + " cannot be reached", false, null));
    }

    @Override
    public void close() {
        for (Node node : nodes) {
            Node.Link link = node.link();
            if (link != null) {
                link.transport().close();
            }
        }
    }
}
