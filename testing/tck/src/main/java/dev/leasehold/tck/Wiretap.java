package dev.leasehold.tck;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Intercepts single calls between the engine and the adapter under test: lets another client act first, answers
 * late, immediately or never. A fault proxy does the same to bytes; here the order of events is deterministic.
 */
final class Wiretap implements RedisTransport {

    /** The handling of a call. */
    interface Tap {
        /**
         * Handles one call.
         *
         * @param call the engine's call
         * @param go sends it, each time it is called
         * @return the engine's answer
         */
        CompletionStage<List<String>> on(ScriptCall call, Supplier<CompletionStage<List<String>>> go);
    }

    private final RedisTransport transport;
    private volatile Tap tap = (call, go) -> go.get();

    Wiretap(RedisTransport transport) {
        this.transport = transport;
    }

    /** Handles every call like this from now on. */
    void all(Tap every) {
        tap = every;
    }

    /** Lets every call pass from now on. */
    void none() {
        tap = (call, go) -> go.get();
    }

    /** Handles the next call of this script like this, and lets all others pass. */
    void next(String script, Tap once) {
        next(call -> call.script().name().equals(script), once);
    }

    /** Handles the next acquire of one lock like this, whatever its kind, and lets all other calls pass. */
    void nextAcquire(Tap once) {
        next(Wiretap::isAcquire, once);
    }

    private void next(Predicate<ScriptCall> calls, Tap once) {
        AtomicBoolean done = new AtomicBoolean();
        tap = (call, go) -> calls.test(call) && done.compareAndSet(false, true) ? once.on(call, go) : go.get();
    }

    /** Returns whether a call acquires one lock: of any kind, free or not. */
    static boolean isAcquire(ScriptCall call) {
        return call.script().name().matches("acquire(_free|_named|_shared|_permits)?");
    }

    /** Sends a call, and waits until Redis has answered. */
    static List<String> executed(Supplier<CompletionStage<List<String>>> go) {
        return TransportCalls.answer(go.get());
    }

    /** Returns a failure as of a request that may have been executed, but whose reply got lost. */
    static CompletionStage<List<String>> lost() {
        return CompletableFuture.failedFuture(new TransportException("the reply was lost", true, null));
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return tap.on(call, () -> transport.eval(call));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return calls.stream()
                .map(call ->
                        tap.on(call, () -> transport.evalBatch(List.of(call)).get(0)))
                .toList();
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        transport.onInvalidation(listener);
    }

    /** Sends the calls once. The tap receives them with the answer already on its way. */
    @Override
    public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        List<DurableReply> sent = transport.evalDurably(calls, onDisk, replicas, withinMillis);
        List<DurableReply> replies = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            DurableReply of = sent.get(i);
            replies.add(new DurableReply(tap.on(calls.get(i), of::reply), of.replicas()));
        }
        return replies;
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
    public CompletionStage<ServerDescription> describe() {
        return transport.describe();
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return transport.command(node, args);
    }

    @Override
    public void close() {
        transport.close();
    }
}
