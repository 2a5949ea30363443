package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.internal.engine.EngineRig;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A process that stands still for longer than the outage tolerance, while a request is under way, has met no outage of Redis. */
class PausedProcessTest {

    private static final Duration PAUSE = Duration.ofSeconds(20);

    private final EngineRig rig = new EngineRig();

    @Test
    void itsWaitForALockGoesOn() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> acquired = rig.lock().acquireAsync().toCompletableFuture();
        rig.time.pauseProcess(PAUSE);
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros())));
        rig.pass(Duration.ofSeconds(1));
        assertThat(acquired).isCompleted();
        assertThat(acquired.join().isHeld()).isTrue();
    }

    @Test
    void itsWaitForALatchGoesOn() {
        rig.redis.silent("latch_look");
        CompletableFuture<Boolean> awaited =
                rig.engine.latch(EngineRig.KEY).awaitAsync().toCompletableFuture();
        rig.time.pauseProcess(PAUSE);
        rig.redis.answers("latch_look", call -> rig.redis.reply("reached"));
        rig.pass(Duration.ofSeconds(1));
        assertThat(awaited).isCompletedWithValue(true);
    }

    /** The silence before and after the pause counts. */
    @Test
    void butAnOutageThatGoesOnEndsIt() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> acquired = rig.lock().acquireAsync().toCompletableFuture();
        rig.time.pauseProcess(PAUSE);
        rig.pass(Duration.ofSeconds(7));
        assertThat(acquired).isNotDone();
        rig.pass(Duration.ofSeconds(8));
        assertThat(acquired).isCompletedExceptionally();
    }
}
