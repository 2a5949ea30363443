package dev.leasehold.internal.quorum;

import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A quorum of three servers in virtual time, which answer what a test has written down. */
final class QuorumRig {

    static final LockKey KEY = QuorumKey.of(new KeyPrefix("leasehold"), "a");
    static final LockKey OTHER = QuorumKey.of(new KeyPrefix("leasehold"), "b");
    static final LeaseSpan LEASE = new LeaseSpan(10_000_000_000L);
    static final long TIMEOUT_NANOS = 2_000_000_000;

    final VirtualTime time = new VirtualTime();
    final List<Server> servers =
            IntStream.range(0, 3).mapToObj(n -> new Server()).toList();
    final QuorumStore store;

    QuorumRig() {
        QuorumParts parts = new QuorumParts(
                time,
                time,
                Runnable::run,
                () -> 0.5,
                "leasehold:quorum",
                new LeaseSpan(60_000_000_000L),
                1_000_000_000,
                TIMEOUT_NANOS);
        ScriptBindings scripts = new ScriptBindings(new TokenMemory(Duration.ofHours(1)), false);
        List<Node> nodes = new ArrayList<>();
        for (Server server : servers) {
            Node node = new Node(nodes.size(), "server " + nodes.size(), parts);
            node.connect(
                    server,
                    new ScriptStore(
                            server,
                            scripts,
                            new ServerClocks(time, new ServerTime(time.serverMicros()), time.nanoTime())),
                    false);
            nodes.add(node);
        }
        store = new QuorumStore(nodes, parts);
    }

    void allAnswer(String script, String... words) {
        servers.forEach(server -> server.answers(script, words));
    }

    CompletableFuture<AcquireHold.Answer> acquire(LockKey key, String id) {
        return store.send(acquisition(key, OwnerKey.anonymous(new AcquisitionId(id)), id));
    }

    static AcquireHold acquisition(LockKey key, OwnerKey owner, String id) {
        return new AcquireHold(
                key,
                new AcquisitionId(id),
                owner,
                LEASE,
                new ServerTime(1L << 52),
                new TokenFloor(0),
                new Holder("1@host", "main", ""),
                Waiter.NONE,
                TIMEOUT_NANOS);
    }

    static ReleaseHold release(String id) {
        return new ReleaseHold(KEY, new AcquisitionId(id), LEASE, true, ServerTime.NONE, TIMEOUT_NANOS);
    }

    static RenewHolds renewal(RenewHolds.Entry... entries) {
        return new RenewHolds(LEASE, List.of(entries), TIMEOUT_NANOS);
    }

    static RenewHolds.Entry entry(LockKey key, String id) {
        return new RenewHolds.Entry(key, new AcquisitionId(id));
    }

    /** One server; a script without an answer stays open. */
    final class Server implements RedisTransport {
        final List<Sent> sent = new ArrayList<>();
        private final Map<String, List<String>> answers = new HashMap<>();

        /** One call that was sent, and the future of its reply. */
        record Sent(ScriptCall call, CompletableFuture<List<String>> reply) {}

        /** From now on, calls of this script get this code and these details, with the present time between. */
        void answers(String script, String... words) {
            answers.put(script, List.of(words));
        }

        /** From now on, calls of this script stay open. */
        void silent(String script) {
            answers.remove(script);
        }

        List<Sent> sent(String script) {
            return sent.stream()
                    .filter(one -> one.call.script().name().equals(script))
                    .toList();
        }

        @Override
        public CompletionStage<List<String>> eval(ScriptCall call) {
            CompletableFuture<List<String>> reply = new CompletableFuture<>();
            sent.add(new Sent(call, reply));
            List<String> words = answers.get(call.script().name());
            if (words != null) {
                Stream<String> now = Stream.of(words.get(0), Long.toString(time.serverMicros()));
                reply.complete(Stream.concat(now, words.stream().skip(1)).toList());
            }
            return reply;
        }

        @Override
        public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
            return calls.stream().map(this::eval).toList();
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ServerDescription> describe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
