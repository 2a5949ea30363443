package dev.leasehold.simulation;

import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connection over which one client waits for the replica: scripts in one flush, with one {@code WAIT} behind them, which counts the
 * replicas that have the last write of this connection. Meanwhile the server executes nothing else that arrives over it. A new one
 * after each reset, for whose writes no other has waited.
 */
final class WaitingConnection {

    private static final String NAME = "waiting for replicas";
    private static final long NOTICED_NANOS = 1_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final World world;
    private final Machine machine;
    private final Server server;
    private final Network network;
    private final RandomGenerator random;
    private final Doubts doubts;
    private final BiConsumer<ScriptCall, List<String>> replied;
    private final List<Flush> underWay = new ArrayList<>();
    private long lastArrival;
    private long lastReply;
    /** How many writes the server had made after the last of this connection. */
    private long lastWrite;

    private long blockedUntil;
    /** Learns of the use of the connection while nothing arrives over it; null if all arrives. */
    private SimTransport.@Nullable SilenceObserver silence;

    /** Creates one; what is replied to each call is told before its caller gets it. */
    WaitingConnection(
            World world,
            Machine machine,
            Server server,
            Network network,
            RandomGenerator random,
            Doubts doubts,
            BiConsumer<ScriptCall, List<String>> replied) {
        this.world = world;
        this.machine = machine;
        this.server = server;
        this.network = network;
        this.random = random;
        this.doubts = doubts;
        this.replied = replied;
    }

    List<DurableReply> send(List<ScriptCall> calls, int replicas, long withinMillis) {
        Flush flush = new Flush(calls, replicas, withinMillis * NANOS_PER_MILLI);
        if (server.down()) {
            TransportException refused = new TransportException("connection refused", false, null);
            world.after(NOTICED_NANOS, () -> machine.deliver(() -> flush.fail(refused)));
        } else {
            underWay.add(flush);
            if (silence == null) {
                flush.travel(network.next());
            } else {
                silence.observed(true, NAME);
            }
        }
        return flush.replies();
    }

    /** Lets nothing arrive any more over the present connection. */
    void silence(SimTransport.SilenceObserver observer) {
        silence = observer;
        underWay.forEach(flush -> flush.unanswered = true);
    }

    /** Breaks the connection: what was sent may still arrive. */
    void reset() {
        if (silence != null) {
            silence.observed(false, NAME);
            silence = null;
        }
        List<Flush> lost = List.copyOf(underWay);
        underWay.clear();
        lastArrival = 0;
        lastReply = 0;
        lastWrite = 0;
        blockedUntil = 0;
        doubts.replaced();
        for (Flush flush : lost) {
            flush.dropped = random.nextBoolean();
            flush.cut = true;
            TransportException failure = new TransportException("connection lost", true, null);
            world.after(random.nextLong(NOTICED_NANOS), () -> machine.deliver(() -> flush.fail(failure)));
        }
    }

    /** Several calls and the WAIT behind them. */
    private final class Flush {
        private final List<ScriptCall> calls;
        private final int replicas;
        private final long withinNanos;
        private final Doubts.Asked asked;
        private final List<CompletableFuture<List<String>>> answers = new ArrayList<>();
        private final List<CompletableFuture<Long>> counts = new ArrayList<>();
        private boolean dropped;
        private boolean cut;
        /** True if the connection became silent while it was under way. */
        private boolean unanswered;

        Flush(List<ScriptCall> calls, int replicas, long withinNanos) {
            this.calls = calls;
            this.replicas = replicas;
            this.withinNanos = withinNanos;
            long timeoutNanos =
                    calls.stream().mapToLong(ScriptCall::timeoutNanos).max().orElse(0);
            this.asked = doubts.ask(timeoutNanos, this::replace);
            for (int i = 0; i < calls.size(); i++) {
                answers.add(new Doubts.Stage<>(asked));
                counts.add(new Doubts.Stage<>(asked));
            }
        }

        private void replace() {
            if (underWay.contains(this)) {
                reset();
            }
        }

        List<DurableReply> replies() {
            List<DurableReply> replies = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                replies.add(new DurableReply(answers.get(i), counts.get(i)));
            }
            return replies;
        }

        void travel(Fate fate) {
            lastArrival = Math.max(world.now() + fate.requestNanos(), lastArrival);
            if (!fate.requestLost()) {
                world.at(lastArrival, () -> arrive(fate));
            }
            if (fate.secondCopyAfterNanos() >= 0) {
                // By a connection of its own, on which nobody waits for it.
                world.at(lastArrival + fate.secondCopyAfterNanos(), this::arriveAgain);
            }
        }

        private void arrive(Fate fate) {
            if (dropped || server.down()) {
                return;
            }
            long ready = cut ? server.processesAt() : Math.max(server.processesAt(), blockedUntil);
            if (ready > world.now()) {
                world.at(ready, () -> arrive(fate));
                return;
            }
            for (int i = 0; i < calls.size(); i++) {
                long before = server.redis().writes();
                execute(i, fate);
                long after = server.redis().writes();
                if (!cut && after > before) {
                    lastWrite = after;
                }
            }
            if (!cut) {
                await(fate);
            }
        }

        private void arriveAgain() {
            if (server.down()) {
                return;
            }
            if (server.processesAt() > world.now()) {
                world.at(server.processesAt(), this::arriveAgain);
                return;
            }
            calls.forEach(call -> run(call));
        }

        private @Nullable RedisErrorException run(ScriptCall call) {
            try {
                List<String> unused = server.run(call, null);
                return null;
            } catch (RedisErrorException e) {
                return e;
            }
        }

        private void execute(int index, Fate fate) {
            ScriptCall call = calls.get(index);
            CompletableFuture<List<String>> answer = answers.get(index);
            try {
                List<String> reply = server.run(call, null);
                reply(fate, () -> {
                    if (!answer.isDone()) {
                        replied.accept(call, reply);
                        answer.complete(reply);
                    }
                });
            } catch (RedisErrorException e) {
                reply(fate, () -> answer.completeExceptionally(e));
            }
        }

        /** Answers the WAIT as soon as enough replicas have the last write, or when its time is over. */
        private void await(Fate fate) {
            long due = world.now() + withinNanos;
            long arrival = server.arrivalAtReplica(lastWrite);
            long count = arrival <= due ? 1 : 0;
            blockedUntil = count >= replicas ? Math.max(world.now(), arrival) : due;
            world.at(blockedUntil, () -> {
                if (!cut) {
                    reply(fate, () -> {
                        underWay.remove(this);
                        counts.forEach(future -> future.complete(count));
                    });
                }
            });
        }

        private void reply(Fate fate, Runnable delivered) {
            if (fate.replyLost()) {
                return;
            }
            lastReply = Math.max(world.now() + fate.replyNanos(), lastReply);
            world.at(lastReply, () -> {
                if (!cut && !unanswered) {
                    machine.deliver(() -> {
                        asked.answered();
                        delivered.run();
                    });
                }
            });
        }

        void fail(RuntimeException failure) {
            answers.forEach(answer -> answer.completeExceptionally(failure));
            counts.forEach(count -> count.completeExceptionally(failure));
        }
    }
}
