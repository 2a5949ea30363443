package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A hold is gone that Redis had granted, but that no caller received: nobody has lost a lease. */
class NobodysLossTest {

    private final EngineRig rig = new EngineRig();

    private void nothingIsReported() {
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.redis.sent("release")).isNotEmpty();
        assertThat(rig.acquired).isEmpty();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void ofAClientThatIsClosedAtTheGrant() {
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        rig.redis.answers("acquire", call -> {
            rig.engine.shutDown();
            return rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros()));
        });
        assertThatThrownBy(() -> rig.lock().tryAcquire()).isInstanceOf(IllegalStateException.class);
        nothingIsReported();
    }

    @Test
    void ofAClientThatIsClosedAtAResume() {
        String exported = new EngineRig().held().export();
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        rig.redis.answers("resume", call -> {
            rig.engine.shutDown();
            return rig.redis.reply("granted", call.args().get(3), Long.toString(rig.time.serverMicros() + 5));
        });
        ExportedLease lease = ExportedLease.decode(EngineRig.PREFIX, exported);
        assertThatThrownBy(() -> rig.engine.resume(lease, EngineRig.OPTIONS)).isInstanceOf(IllegalStateException.class);
        nothingIsReported();
    }

    @Test
    void ofAWaiterThatCancelsAfterThePauseThatOutlastedTheOffer() {
        outlasted(true);
    }

    @Test
    void ofAWaiterThatTakesTheOfferTooLate() {
        outlasted(false);
    }

    private static void outlasted(boolean cancels) {
        Queue<Runnable> tasks = new ArrayDeque<>();
        EngineRig rig = new EngineRig(tasks::add, Set.of(Capability.AT_MOST_ONCE, Capability.COUNTS_RECEIVERS));
        long token = rig.time.serverMicros();
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply(
                        "granted", call.args().get(1), Long.toString(token), Long.toString(token + 100)));
        Lease holder = rig.held();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> next = rig.lock().acquireAsync().toCompletableFuture();
        runAll(tasks);
        holder.release();
        assertThat(rig.redis.sent("release")).as("offered to the next").isEmpty();
        rig.time.pauseProcess(Duration.ofMinutes(1));
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        if (cancels) {
            next.cancel(true);
        }
        runAll(tasks);
        rig.pass(Duration.ofMillis(500));
        runAll(tasks);
        assertThat(rig.redis.sent("release")).isNotEmpty();
        assertThat(rig.acquired).hasSize(1);
        assertThat(rig.released).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    private static void runAll(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
