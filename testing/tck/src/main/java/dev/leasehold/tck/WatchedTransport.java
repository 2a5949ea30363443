package dev.leasehold.tck;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.tck.InterruptContract.Phase;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Forwards everything, and interrupts a thread once when its acquire is on its way, or answered. */
final class WatchedTransport implements RedisTransport {

    private record Trap(Phase phase, Thread thread, AtomicInteger sprung) {}

    private static final AtomicReference<@Nullable Trap> TRAP = new AtomicReference<>();

    private final RedisTransport transport;
    private final AtomicReference<Phase> phase;
    private final boolean answersOnCallersThread;

    WatchedTransport(RedisTransport transport, AtomicReference<Phase> phase, boolean answersOnCallersThread) {
        this.transport = transport;
        this.phase = phase;
        this.answersOnCallersThread = answersOnCallersThread;
    }

    static void arm(Phase phase, Thread thread, AtomicInteger sprung) {
        TRAP.set(phase == Phase.BEFORE_SEND ? null : new Trap(phase, thread, sprung));
    }

    static void disarm() {
        TRAP.set(null);
    }

    private void reached(Phase now) {
        phase.set(now);
        Trap trap = TRAP.get();
        if (trap != null && trap.phase == now && TRAP.compareAndSet(trap, null)) {
            trap.sprung.incrementAndGet();
            trap.thread.interrupt();
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        if (!Wiretap.isAcquire(call)) {
            return transport.eval(call);
        }
        if (answersOnCallersThread) {
            reached(Phase.IN_FLIGHT);
        }
        CompletionStage<List<String>> stage = transport.eval(call);
        if (stage.toCompletableFuture().isDone()) {
            reached(Phase.AFTER_REPLY);
            return stage;
        }
        reached(Phase.IN_FLIGHT);
        stage.whenComplete((reply, failure) -> reached(Phase.AFTER_REPLY));
        return stage;
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return transport.evalBatch(calls);
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        transport.onInvalidation(listener);
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
