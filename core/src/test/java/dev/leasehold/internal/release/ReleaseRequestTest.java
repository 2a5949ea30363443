package dev.leasehold.internal.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A holder that is asked to release hears of it with the answer to a renewal, once. */
class ReleaseRequestTest {

    private static final Duration DUE = Duration.ofSeconds(10);

    private final EngineRig rig = new EngineRig();
    private final List<ReleaseRequestedEvent> told = new ArrayList<>();

    private void somebodyAsks() {
        rig.redis.answers("renew", call -> rig.redis.reply("asked", call.args().get(1)));
    }

    @Test
    void theHolderHearsOfItAtItsNextRenewalOnceAndGoesOnHolding() {
        Lease lease = rig.held();
        lease.onReleaseRequested(told::add);
        rig.pass(DUE);
        assertThat(told).isEmpty();
        somebodyAsks();
        rig.pass(Duration.ofMinutes(2));
        assertThat(told).containsExactly(new ReleaseRequestedEvent("a", lease.owner(), lease.fencingToken()));
        assertThat(rig.requested).isEqualTo(told);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void whoListensLaterIsToldAtOnceAndAfterTheReleaseNobodyIs() {
        somebodyAsks();
        Lease lease = rig.held();
        rig.pass(DUE);
        lease.onReleaseRequested(told::add);
        lease.onReleaseRequested(told::add);
        assertThat(told).hasSize(2);
        lease.release();
        lease.onReleaseRequested(told::add);
        assertThat(told).hasSize(2);
    }

    @Test
    void aListenerMayReleaseAndOneThatThrowsBreaksNothing() {
        somebodyAsks();
        Lease lease = rig.held();
        lease.onReleaseRequested(event -> {
            throw new IllegalStateException("the listener is broken");
        });
        lease.onReleaseRequested(event -> lease.release());
        rig.pass(DUE);
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void anExtensionHearsOfItToo() {
        somebodyAsks();
        Lease lease = rig.held(LockOptions.builder().renewal(Renewal.none()).build());
        lease.onReleaseRequested(told::add);
        rig.pass(DUE);
        assertThat(told).as("nothing was sent").isEmpty();
        assertThat(lease.extend(Duration.ofSeconds(5))).isTrue();
        assertThat(told).hasSize(1);
    }

    @Test
    void ofManyThatAreRenewedTogetherOnlyTheAskedOneHearsOfIt() {
        Engine engine = new Engine(EngineRig.with(
                rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits()),
                Set.of(Capability.AT_MOST_ONCE, Capability.CALLS_ACROSS_SLOTS)));
        List<Lease> leases = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            leases.add(engine.lock(LockKey.of(EngineRig.PREFIX, name), EngineRig.OPTIONS)
                    .tryAcquire()
                    .orElseThrow());
        }
        leases.forEach(lease -> lease.onReleaseRequested(told::add));
        rig.redis.answers(
                "renew_many",
                call -> rig.redis.each(
                        call,
                        n -> List.of(
                                isB(call, n) ? "asked" : "renewed", call.args().get(0))));
        rig.pass(Duration.ofMinutes(2));
        assertThat(rig.redis.sent("renew_many")).isNotEmpty();
        assertThat(told).extracting(ReleaseRequestedEvent::lockName).containsExactly("b");
        assertThat(leases).allMatch(Lease::isHeld);
    }

    private static boolean isB(ScriptCall call, int n) {
        return call.keys().get(n).endsWith("{b}");
    }

    /** The request goes with the hold: who has it by the time of the answer is asked. */
    @Test
    void theLeaseToWhichTheLockWasHandedHearsOfIt() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> first = rig.lock().acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> second = rig.lock().acquireAsync().toCompletableFuture();
        rig.redis.answers("acquire", call -> rig.redis.reply("granted", "30000000", "7", "99"));
        rig.redis.listeners.get(0).resubscribed();
        first.join().onReleaseRequested(told::add);
        first.join().release();
        second.join().onReleaseRequested(told::add);
        somebodyAsks();
        rig.pass(DUE);
        assertThat(told).extracting(ReleaseRequestedEvent::fencingToken).containsExactly(8L);
    }

    @Test
    void askingTellsWhetherSomebodyHeldTheLock() {
        assertThat(rig.lock().requestRelease()).isTrue();
        rig.redis.answers("request_release", call -> rig.redis.reply("free"));
        assertThat(rig.lock().requestRelease()).isFalse();
        rig.redis.answers("request_release", call -> rig.redis.reply("foreign", "list"));
        assertThatThrownBy(() -> rig.lock().requestRelease()).isInstanceOf(ForeignKeyException.class);
        assertThatThrownBy(() ->
                        rig.engine.lock(PlainKey.of("p"), EngineRig.OPTIONS).requestRelease())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'p'");
    }

    @Test
    void whoAsksWithoutAThreadIsToldWhatTheOtherIsTold() {
        assertThat(asking()).isCompletedWithValue(true);
        rig.redis.answers("request_release", call -> rig.redis.reply("free"));
        assertThat(asking()).isCompletedWithValue(false);
        rig.redis.answers("request_release", call -> rig.redis.reply("foreign", "list"));
        assertThatThrownBy(asking()::join).hasCauseInstanceOf(ForeignKeyException.class);
        rig.redis.answers("request_release", call -> List.of("what?"));
        assertThatThrownBy(asking()::join).hasCauseInstanceOf(LockUnavailableException.class);
        rig.redis.silent("request_release");
        CompletableFuture<Boolean> unanswered = asking();
        rig.pass(Duration.ofMillis(1900));
        assertThat(unanswered).isNotDone();
        rig.pass(Duration.ofMillis(200));
        assertThat(unanswered).isDone();
        assertThatThrownBy(unanswered::join).hasCauseInstanceOf(LockUnavailableException.class);
        assertThat(rig.redis.sent("request_release")).as("nothing is repeated").hasSize(5);
    }

    @Test
    void closingTheClientEndsARequest() {
        rig.redis.silent("request_release");
        CompletableFuture<Boolean> unanswered = asking();
        rig.engine.shutDown();
        CompletableFuture<Boolean> late = asking();
        for (CompletableFuture<Boolean> request : List.of(unanswered, late)) {
            assertThat(request).isDone();
            assertThatThrownBy(request::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(rig.redis.sent("request_release")).hasSize(1);
    }

    private CompletableFuture<Boolean> asking() {
        return rig.lock().requestReleaseAsync().toCompletableFuture();
    }
}
