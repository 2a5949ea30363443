package dev.leasehold.testkit;

import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection: requests arrive in the order in which they were sent, and replies in the order of the requests. A
 * delay therefore delays everything behind it.
 */
final class SimulatedConnection {

    private final SimulatedRedis redis;
    private final Timer timer;
    private final Executor server;
    private final @Nullable Consumer<String> tracking;
    private final Way requests;
    private final Way replies;
    /** Calls that would fail if the connection broke. */
    private final Set<Pending> awaited = new LinkedHashSet<>();

    /** A waiting call. */
    private static final class Pending {
        private final CompletableFuture<List<String>> future = new CompletableFuture<>();

        void answer(Outcome outcome) {
            if (outcome.failure != null) {
                future.completeExceptionally(outcome.failure);
            } else {
                future.complete(outcome.reply);
            }
        }

        void broke() {
            future.completeExceptionally(new TransportException("the simulated connection broke", true, null));
        }
    }

    /** The server's reply or error. */
    private record Outcome(List<String> reply, @Nullable RuntimeException failure) {}

    /**
     * Connects.
     *
     * @param tracking receives the keys that Redis tracks for the connection, once they have changed; null for none
     */
    SimulatedConnection(SimulatedRedis redis, Timer timer, Executor server, @Nullable Consumer<String> tracking) {
        this.redis = redis;
        this.timer = timer;
        this.server = server;
        this.tracking = tracking;
        this.requests = new Way(timer);
        this.replies = new Way(timer);
    }

    CompletableFuture<List<String>> send(ScriptCall call, Fate fate) {
        Pending pending = new Pending();
        if (!fate.requestLost()) {
            requests.put(fate.requestNanos(), () -> server.execute(() -> serve(call, fate, pending)));
        } else {
            if (fate.secondCopyAfterNanos() >= 0) {
                copyLater(call, fate.requestNanos() + fate.secondCopyAfterNanos());
            }
            if (fate.connectionLost()) {
                breakLater(pending, fate.requestNanos() + fate.replyNanos());
            }
        }
        if (pending.future.isDone()) {
            return pending.future;
        }
        awaited.add(pending);
        CompletableFuture<?> unused = pending.future.whenComplete((reply, failure) -> awaited.remove(pending));
        return pending.future;
    }

    private void serve(ScriptCall call, Fate fate, Pending pending) {
        Outcome outcome = execute(call);
        if (fate.secondCopyAfterNanos() >= 0) {
            copyLater(call, fate.secondCopyAfterNanos());
        }
        if (fate.connectionLost()) {
            breakLater(pending, fate.replyNanos());
        } else if (!fate.replyLost()) {
            replies.put(fate.replyNanos(), () -> pending.answer(outcome));
        }
    }

    private Outcome execute(ScriptCall call) {
        try {
            Outcome outcome = new Outcome(redis.eval(call, tracking), null);
            if (tracking != null) {
                redis.track(call.keys(), tracking);
            }
            return outcome;
        } catch (RuntimeException e) {
            return new Outcome(List.of(), e);
        }
    }

    /** Delivers the same request once more, regardless of the order; its reply is discarded. */
    private void copyLater(ScriptCall call, long delayNanos) {
        timer.schedule(() -> server.execute(() -> execute(call)), delayNanos);
    }

    private void breakLater(Pending pending, long delayNanos) {
        if (delayNanos == 0) {
            pending.broke();
        } else {
            timer.schedule(pending::broke, delayNanos);
        }
    }

    /** Breaks the connection: requests and replies on their way are lost, and the waiting calls fail. */
    void lose() {
        requests.clear();
        replies.clear();
        List.copyOf(awaited).forEach(Pending::broke);
    }

    /** One direction, first in, first out: each message arrives not before its delay is over. */
    private static final class Way {
        private final Timer timer;
        private final Queue<Parcel> parcels = new ArrayDeque<>();

        private static final class Parcel {
            private final Runnable delivery;
            private boolean ripe;

            Parcel(Runnable delivery) {
                this.delivery = delivery;
            }
        }

        Way(Timer timer) {
            this.timer = timer;
        }

        void put(long delayNanos, Runnable delivery) {
            if (delayNanos == 0 && parcels.isEmpty()) {
                delivery.run();
                return;
            }
            Parcel parcel = new Parcel(delivery);
            parcels.add(parcel);
            if (delayNanos == 0) {
                parcel.ripe = true;
            } else {
                timer.schedule(
                        () -> {
                            parcel.ripe = true;
                            deliver();
                        },
                        delayNanos);
            }
        }

        private void deliver() {
            for (Parcel first = parcels.peek(); first != null && first.ripe; first = parcels.peek()) {
                parcels.remove();
                first.delivery.run();
            }
        }

        void clear() {
            parcels.clear();
        }
    }
}
