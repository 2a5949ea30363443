package dev.leasehold.simulation;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.LatchNotSetException;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.What;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** One call of a latch by a client, or one wait for it. */
final class LatchUse {

    private final Simulation simulation;
    private final Client client;
    private final Extra extra;
    private final int number;

    LatchUse(Simulation simulation, Client client, Extra extra, int number) {
        this.simulation = simulation;
        this.client = client;
        this.extra = extra;
        this.number = number;
    }

    void begin() {
        long wait = extra.span();
        boolean awaits = extra.kind() == Extra.Kind.LATCH_AWAIT;
        long most =
                awaits && wait != 0 ? wait : simulation.limits.commandTimeout().toNanos();
        report(
                What.INVOKED,
                0,
                most < 0 ? 0 : simulation.world.now() + most,
                extra.id().isEmpty() ? extra.kind().name() : "n:" + extra.id());
        DistributedLatch latch = client.latch(extra.name());
        switch (extra.kind()) {
            case LATCH_SET ->
                called(latch.trySetAsync((int) extra.amount(), Duration.ofNanos(wait)), set -> set ? 1 : 0, "set");
            case LATCH_COUNT ->
                called(
                        extra.id().isEmpty() ? latch.countDownAsync() : latch.countDownAsync(extra.id()),
                        left -> left,
                        "counted");
            case LATCH_READ -> called(latch.countAsync(), left -> left, "read");
            case LATCH_AWAIT -> await(latch, wait);
            case STAND_FOR_ELECTION, RESIGN, REQUEST, FORCE_RELEASE, CHANGE_PERMITS ->
                throw new IllegalArgumentException(extra + " is not about a latch");
        }
    }

    private <T> void called(CompletionStage<T> stage, ToIntFunction<T> count, String which) {
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                report(What.CALLED, count.applyAsInt(value), 0, which);
            } else {
                failed(failure);
            }
        });
        cancelled(stage);
    }

    private void await(DistributedLatch latch, long wait) {
        CompletionStage<Boolean> stage = wait < 0 ? latch.awaitAsync() : latch.awaitAsync(Duration.ofNanos(wait));
        stage.whenComplete((reached, failure) -> {
            if (failure != null) {
                failed(failure);
            } else {
                report(reached ? What.PASSED : What.BUSY, 0, 0, "");
                if (reached) {
                    simulation.met.count(Met.Deed.PASSED);
                }
            }
        });
        cancelled(stage);
    }

    private void cancelled(CompletionStage<?> stage) {
        if (extra.cancelAfter() >= 0) {
            client.machine.schedule(() -> stage.toCompletableFuture().cancel(false), extra.cancelAfter());
        }
    }

    private void failed(Throwable failure) {
        @Nullable Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CancellationException) {
            report(What.CANCELLED, 0, 0, "");
        } else if (cause instanceof LockUnavailableException unavailable) {
            report(What.UNAVAILABLE, 0, 0, unavailable.mayBeTaken() ? "maybe" : "not");
        } else if (cause instanceof LatchNotSetException) {
            report(What.ABSENT, 0, 0, "");
            if (extra.kind() == Extra.Kind.LATCH_AWAIT) {
                simulation.met.count(Met.Deed.LATCH_EXPIRED);
            }
        } else {
            report(What.REFUSED, 0, 0, cause == null ? "" : cause.getClass().getSimpleName());
        }
    }

    private void report(What what, long token, long until, String note) {
        simulation.history.add(
                new Entry(simulation.world.now(), client.number, number, what, extra.name(), "", token, until, note));
    }
}
