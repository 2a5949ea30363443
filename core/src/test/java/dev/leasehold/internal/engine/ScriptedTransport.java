package dev.leasehold.internal.engine;

import dev.leasehold.internal.concurrent.SelfTimedAnswer;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.InvalidationListener;
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
import java.util.function.Function;
import java.util.function.IntFunction;

/** A port that answers what a test has written down, at once or when told to. No Redis: one interleaving at a time. */
public final class ScriptedTransport implements RedisTransport {

    private final VirtualTime time;
    private final Map<String, Function<ScriptCall, CompletionStage<List<String>>>> roles = new HashMap<>();
    private final Map<String, Duration> blocking = new HashMap<>();
    public final List<Sent> sent = new ArrayList<>();
    public final List<ChannelListener> listeners = new ArrayList<>();
    /** To what they subscribed. */
    public final List<String> channels = new ArrayList<>();
    /** The shard of every key. */
    public String shard = "";
    /** Who hears of changed keys. */
    public InvalidationListener invalidations;
    /** How many replicas or disks have what was sent to wait for them; not complete, so nobody says it. */
    public CompletableFuture<Long> acknowledged = new SelfTimedAnswer<>();
    /** What subscribers get. */
    public CompletableFuture<AutoCloseable> subscribed = CompletableFuture.completedFuture(() -> {});

    /** One request that left, and the future on which its answer goes back. */
    public record Sent(ScriptCall call, boolean batched, CompletableFuture<List<String>> answer) {
        public String name() {
            return ScriptedTransport.name(call);
        }

        public String arg(int i) {
            return call.args().get(i);
        }
    }

    public ScriptedTransport(VirtualTime time) {
        this.time = time;
        answers("acquire_free", call -> reply("undecided"));
        answers("acquire", call -> reply("granted", call.args().get(1), Long.toString(time.serverMicros())));
        answers("resume", call -> reply("granted", call.args().get(3), Long.toString(time.serverMicros())));
        answers("request_release", call -> reply("requested", "1"));
        answers("renew", call -> reply("renewed", call.args().get(1)));
        answers("renew_many", call -> reply("all"));
        answers("release", call -> reply("released"));
        answers("leave", call -> reply("left"));
    }

    /** The name of the script: "acquire" also for named owners, readers and permits, which are answered alike. */
    private static String name(ScriptCall call) {
        String name = call.script().name();
        return name.matches("acquire_(named|shared|permits)") ? "acquire" : name;
    }

    /** A reply with the present Redis TIME as its second word. */
    public List<String> reply(String code, String... rest) {
        List<String> reply = new ArrayList<>(List.of(code, Long.toString(time.serverMicros())));
        reply.addAll(List.of(rest));
        return reply;
    }

    /** A reply to a script of many locks with what is said of each of its locks, counted from 0. */
    public List<String> each(ScriptCall call, IntFunction<List<String>> results) {
        List<String> reply = reply("each");
        for (int n = 0; n < call.keys().size(); n++) {
            reply.addAll(results.apply(n));
        }
        return reply;
    }

    /** From now on this script is answered at once, on the caller's thread. */
    public void answers(String script, Function<ScriptCall, List<String>> role) {
        roles.put(script, call -> CompletableFuture.completedFuture(role.apply(call)));
    }

    /** The same, but what the role throws is the failure of this one call. */
    public void judges(String script, Function<ScriptCall, List<String>> role) {
        roles.put(script, call -> {
            try {
                return CompletableFuture.completedFuture(role.apply(call));
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    public void fails(String script, RuntimeException failure) {
        roles.put(script, call -> CompletableFuture.failedFuture(failure));
    }

    /** From now on requests of this script get no answer, unless the test gives one. */
    public void silent(String script) {
        roles.put(script, call -> new SelfTimedAnswer<>());
    }

    /** From now on whoever sends this script alone is blocked for so long. */
    public void blocks(String script, Duration wait) {
        blocking.put(script, wait);
    }

    /** The same as {@link #silent}, and whoever sends it is interrupted while it waits. */
    public void interrupts(String script) {
        roles.put(script, call -> {
            Thread.currentThread().interrupt();
            return new SelfTimedAnswer<>();
        });
    }

    /** From now on sending this script throws. */
    public void breaks(String script, RuntimeException failure) {
        roles.put(script, call -> {
            throw failure;
        });
    }

    public List<Sent> sent(String script) {
        return sent.stream().filter(one -> one.name().equals(script)).toList();
    }

    public Sent last(String script) {
        List<Sent> all = sent(script);
        return all.get(all.size() - 1);
    }

    private CompletableFuture<List<String>> send(ScriptCall call, boolean batched) {
        CompletableFuture<List<String>> answer =
                roles.get(name(call)).apply(call).toCompletableFuture();
        sent.add(new Sent(call, batched, answer));
        return answer;
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        if (blocking.containsKey(name(call))) {
            time.pass(blocking.get(name(call)));
        }
        return send(call, false);
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<CompletionStage<List<String>>> stages = new ArrayList<>();
        calls.forEach(call -> stages.add(send(call, true)));
        return stages;
    }

    @Override
    public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        List<DurableReply> replies = new ArrayList<>();
        calls.forEach(call -> replies.add(new DurableReply(send(call, true), acknowledged)));
        return replies;
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        invalidations = listener;
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        listeners.add(listener);
        channels.add(channel);
        return subscribed;
    }

    @Override
    public String shardOf(String key) {
        return shard;
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Object> command(RedisNode node, List<String> args) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
