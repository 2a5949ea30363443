package dev.leasehold.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which a client that closes notifies leaders and releases its holds. */
class ShutdownTest {

    private static final LockKey LED = LockKey.of(EngineRig.PREFIX, "led");

    private final EngineRig rig = new EngineRig();
    private final List<Runnable> listening = new ArrayList<>();
    private final Engine engine =
            new Engine(rig.parts(rig.redis, Runnable::run, this::listen, true, EngineRig.limits()));
    private final Candidates candidates = engine.candidates();
    private final Shutdown shutdown =
            new Shutdown(EngineRig.limits().commandTimeout(), rig.time, engine, candidates, new OwnedResources());
    private final List<String> events = new ArrayList<>();
    private boolean stuck;
    private Runnable whenElected = () -> {};
    private Runnable whenDemoted = () -> {};

    private void listen(Runnable task) {
        if (stuck) {
            listening.add(task);
        } else {
            task.run();
        }
    }

    private void leads() {
        long begun = rig.time.nanoTime();
        rig.redis.answers("release", call -> {
            long millis = Duration.ofNanos(rig.time.nanoTime() - begun).toMillis();
            events.add("released " + (call.keys().get(0).contains("led") ? "led" : "held") + " after " + millis);
            return rig.redis.reply("released");
        });
        candidates
                .of(engine.fairLock(LED, EngineRig.OPTIONS), EngineRig.OPTIONS)
                .stand(new LeaderListener() {
                    @Override
                    public void onElected(Term term) {
                        whenElected.run();
                    }

                    @Override
                    public void onDemoted(Term term, DemotionReason reason) {
                        events.add("demoted");
                        whenDemoted.run();
                    }
                });
    }

    @Test
    void holdsAreReleasedWhileTheListenerOfALeaderIsNotifiedAndItsOwnAfterwards() {
        leads();
        Lease held = engine.lock(EngineRig.KEY, EngineRig.OPTIONS).tryAcquire().orElseThrow();
        stuck = true;
        rig.time.schedule(
                () -> {
                    stuck = false;
                    listening.remove(0).run();
                },
                Duration.ofMillis(1500).toNanos());
        shutdown.run();
        assertThat(events).containsExactly("released held after 0", "demoted", "released led after 1500");
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void aListenerThatNeverReturnsCostsOnlyItsOwnStep() {
        leads();
        Lease held = engine.lock(EngineRig.KEY, EngineRig.OPTIONS).tryAcquire().orElseThrow();
        stuck = true;
        shutdown.run();
        assertThat(events).containsExactly("released held after 0", "released led after 2000");
        assertThat(engine.quiet()).isTrue();
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void redisHasTheWholeOfItsOwnStepToConfirmAReleaseAfterAListenerThatBlocked() {
        leads();
        stuck = true;
        rig.redis.silent("release");
        rig.time.schedule(
                () -> rig.redis.last("release").answer().complete(rig.redis.reply("released")),
                Duration.ofMillis(3500).toNanos());
        shutdown.run();
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void aListenerThatClosesTheClientWhenItIsDemotedIsNotWaitedFor() {
        leads();
        long begun = rig.time.nanoTime();
        whenDemoted = shutdown::run;
        candidates.closeAll();
        assertThat(events).containsExactly("demoted", "released led after 0");
        assertThat(rig.time.nanoTime()).isEqualTo(begun);
        assertThat(engine.quiet()).isTrue();
    }

    @Test
    void aListenerThatClosesTheClientWhenItIsElectedIsNotWaitedFor() {
        long begun = rig.time.nanoTime();
        whenElected = shutdown::run;
        leads();
        assertThat(events).containsExactly("released led after 0", "demoted");
        assertThat(rig.time.nanoTime()).isEqualTo(begun);
        assertThat(engine.quiet()).isTrue();
    }
}
