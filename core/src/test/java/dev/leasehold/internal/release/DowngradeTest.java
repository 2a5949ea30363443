package dev.leasehold.internal.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.engine.EngineRig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A downgrade whose answer is missed, late, or not awaited. */
class DowngradeTest {

    private final EngineRig rig = new EngineRig();
    private final DistributedReadWriteLock lock = lock(EngineRig.OPTIONS);

    private DistributedReadWriteLock lock(LockOptions options) {
        return rig.engine.readWriteLock(EngineRig.KEY, options);
    }

    /** The release in the background may be answered before the call goes on. */
    @Test
    void aLossThatIsFoundAfterAnUnansweredDowngradeFollowsTheReportedRelease() {
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.silent("downgrade");
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        assertThatThrownBy(() -> lock.downgrade(writer))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("is released in the background");
        assertThat(rig.released).hasSize(1);
        assertThat(rig.lost).singleElement().matches(LossEvent::afterRelease);
    }

    @Test
    void anAnswerAfterTheEndOfTheLeaseIsNoLease() {
        DistributedReadWriteLock brief = lock(
                EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(1)).build());
        Lease writer = brief.writeLock().tryAcquire().orElseThrow();
        rig.redis.silent("downgrade");
        CompletableFuture<Lease> reader = brief.downgradeAsync(writer).toCompletableFuture();
        List<String> answer = rig.redis.reply("shared", "1000000", Long.toString(rig.time.serverMicros() + 1));
        rig.pass(Duration.ofMillis(1500));
        rig.redis.last("downgrade").answer().complete(answer);
        assertThatThrownBy(reader::join)
                .hasCauseInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("after the lease had ended");
        assertThat(rig.redis.sent("release")).isNotEmpty();
    }

    /** Replicas know the end that the writer has asked for; clocks have drifted apart since then. */
    @Test
    void aReaderOfADurableWriterIsNotCertainOfTheLockForLongerThanItsWriter() {
        rig.redis.acknowledged = CompletableFuture.completedFuture(1L);
        DistributedReadWriteLock durable = lock(EngineRig.OPTIONS.toBuilder()
                .renewal(Renewal.none())
                .replicas(1, Duration.ofMillis(100))
                .build());
        Lease writer = durable.writeLock().tryAcquire().orElseThrow();
        rig.pass(Duration.ofSeconds(20));
        Duration certain = writer.remaining();
        rig.redis.answers(
                "downgrade", call -> rig.redis.reply("shared", "30000000", Long.toString(rig.time.serverMicros() + 1)));
        Lease reader = durable.downgrade(writer);
        assertThat(reader.isHeld()).isTrue();
        assertThat(reader.remaining()).isLessThanOrEqualTo(certain);
    }

    @Test
    void withAMinimumHoldTheMessagePromisesNoReleaseThatIsNotSent() {
        Lease writer =
                rig.held(LockOptions.builder().minHold(Duration.ofSeconds(20)).build());
        rig.redis.silent("downgrade");
        assertThatThrownBy(() -> lock.downgrade(writer))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("stays locked until its lease ends");
        rig.pass(Duration.ofMinutes(5));
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void aCancelledOneIsAbandonedToItsTracer() throws Exception {
        List<WaitOutcome> ends = new ArrayList<>();
        EngineParts parts = rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits());
        Engine engine = new Engine(EngineRig.with(parts, new Tracer(ends)));
        DistributedReadWriteLock traced = engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = traced.writeLock().acquire();
        rig.redis.silent("downgrade");
        traced.downgradeAsync(writer).toCompletableFuture().cancel(true);
        assertThat(ends).containsExactly(WaitOutcome.ABANDONED);
    }

    private record Tracer(List<WaitOutcome> ends) implements LeaseholdListener, LockTracer {

        @Override
        public LockTrace begins(String lockName) {
            return new LockTrace() {
                @Override
                public void notAcquired(WaitOutcome outcome, @Nullable RuntimeException failure) {
                    ends.add(outcome);
                }
            };
        }
    }
}
