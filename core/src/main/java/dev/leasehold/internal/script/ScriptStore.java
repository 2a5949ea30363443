package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps locks in Redis by scripts: each request is one call of the script that serves it. Answers set the clocks of the servers. */
public final class ScriptStore implements LockStore {

    private final RedisTransport transport;
    private final ScriptBindings scripts;
    private final ServerClocks clocks;

    /** Creates a store for a user that sends no request with a time limit of its own reckoning. */
    public ScriptStore(RedisTransport transport, ScriptBindings scripts) {
        this(transport, scripts, new ServerClocks(TimeSource.system(), ServerTime.NONE, 0));
    }

    /** Creates a store, which closes the transport with itself. */
    public ScriptStore(RedisTransport transport, ScriptBindings scripts, ServerClocks clocks) {
        this.transport = transport;
        this.scripts = scripts;
        this.clocks = clocks;
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        try {
            ScriptCall call = scripts.call(request);
            long sentAt = clocks.now();
            CompletionStage<List<String>> reply = request.inspects() ? transport.inspect(call) : transport.eval(call);
            return answerTo(new Sent<>(request, call, sentAt), reply);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A request, its call, and the local moment before that was sent. */
    private record Sent<A>(StoreRequest<A> request, ScriptCall call, long sentAt) {}

    private <A> CompletableFuture<A> answerTo(Sent<A> sent, CompletionStage<List<String>> reply) {
        return AnswerFuture.of(reply, words -> read(sent, words));
    }

    private <A> A read(Sent<A> sent, List<String> words) {
        A answer = scripts.read(sent.request, words);
        if (answer instanceof StoreAnswer timed) {
            clockOf(sent.call.keys().get(0)).seen(timed.now(), sent.sentAt);
        }
        return answer;
    }

    private ServerClocks.Clock clockOf(String key) {
        return clocks.of(transport.shardOf(key));
    }

    @Override
    public ServerTime serverTimeAt(String key, long localNanos) {
        return clockOf(key).at(localNanos);
    }

    @Override
    public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
        return this.<CompletionStage<List<String>>, CompletableFuture<?>>sendTogether(
                requests, transport::evalBatch, this::answerTo, CompletableFuture::failedFuture);
    }

    @Override
    public List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
        return this.<DurableReply, Durable<?>>sendTogether(
                requests,
                calls -> transport.evalDurably(calls, onDisk, replicas, withinMillis),
                this::durableAnswerTo,
                ScriptStore::notSent);
    }

    private <A> Durable<A> durableAnswerTo(Sent<A> sent, DurableReply reply) {
        return new Durable<>(answerTo(sent, reply.reply()), reply.replicas().toCompletableFuture());
    }

    private static Durable<?> notSent(RuntimeException reason) {
        return new Durable<>(CompletableFuture.failedFuture(reason), CompletableFuture.failedFuture(reason));
    }

    /**
     * Sends the calls of requests in one flush. A request that no script serves, and one to which the transport returns nothing,
     * fail alone.
     */
    private <S, T> List<T> sendTogether(
            List<? extends StoreRequest<?>> requests,
            Function<List<ScriptCall>, List<S>> sending,
            BiFunction<Sent<?>, S, T> sent,
            Function<RuntimeException, T> notSent) {
        List<ScriptCall> calls = new ArrayList<>(requests.size());
        List<@Nullable RuntimeException> refusals = new ArrayList<>(requests.size());
        for (StoreRequest<?> request : requests) {
            try {
                calls.add(scripts.call(request));
                refusals.add(null);
            } catch (RuntimeException e) {
                refusals.add(e);
            }
        }
        long sentAt = clocks.now();
        Iterator<S> replies = Collections.emptyIterator();
        try {
            replies = calls.isEmpty() ? replies : sending.apply(calls).iterator();
        } catch (RuntimeException e) {
            Collections.fill(refusals, e);
        }
        List<T> results = new ArrayList<>(requests.size());
        Iterator<ScriptCall> called = calls.iterator();
        for (int n = 0; n < requests.size(); n++) {
            RuntimeException refusal = refusals.get(n);
            results.add(
                    refusal != null
                            ? notSent.apply(refusal)
                            : result(new Sent<>(requests.get(n), called.next(), sentAt), replies, sent, notSent));
        }
        return results;
    }

    private static <S, T> T result(
            Sent<?> request,
            Iterator<S> replies,
            BiFunction<Sent<?>, S, T> sent,
            Function<RuntimeException, T> notSent) {
        try {
            return sent.apply(request, replies.next());
        } catch (RuntimeException e) {
            return notSent.apply(e);
        }
    }

    @Override
    public String shardOf(String key) {
        return transport.shardOf(key);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return transport.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        return transport.subscribeToBothKinds(channel, listener);
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        transport.onInvalidation(listener);
    }

    @Override
    public void close() {
        transport.close();
    }
}
