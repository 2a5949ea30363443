package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How long a call without a time limit of its own takes at most, when Redis does not answer. */
class SilentRedisTest {

    private static final Duration COMMAND = Duration.ofSeconds(2);
    private static final Duration TOLERANCE = Duration.ofSeconds(10);
    private static final Duration WITHIN = Duration.ofSeconds(3);
    private static final Duration TICK = Duration.ofMillis(1);

    private final EngineRig rig = new EngineRig(
            Runnable::run,
            Set.of(
                    Capability.AT_MOST_ONCE,
                    Capability.COUNTS_RECEIVERS,
                    Capability.WAITS_FOR_REPLICAS,
                    Capability.WAITS_FOR_DISKS));

    private void redisIsSilent() {
        rig.redis.silent("acquire_free");
        rig.redis.silent("acquire");
    }

    static Stream<Arguments> tries() {
        LockOptions.Builder options = LockOptions.builder();
        return Stream.of(
                Arguments.of(options.build(), COMMAND),
                Arguments.of(options.replicas(1, WITHIN).build(), COMMAND.plus(WITHIN)),
                Arguments.of(options.onDisk(0, WITHIN).build(), COMMAND.plus(WITHIN)));
    }

    private static void assertUnavailable(CompletableFuture<?> call) {
        assertThat(call).isCompletedExceptionally();
        assertThatThrownBy(call::join).hasCauseInstanceOf(LockUnavailableException.class);
    }

    private CompletableFuture<?> tries(LockOptions options) {
        return rig.lock(options).tryAcquireAsync().toCompletableFuture();
    }

    @ParameterizedTest
    @MethodSource("tries")
    void aSingleTryTakesTheCommandTimeoutAndTheTimeThatReplicasOrDisksHave(LockOptions options, Duration most) {
        redisIsSilent();
        CompletableFuture<?> tried = tries(options);
        rig.pass(most.minus(TICK));
        assertThat(tried).isNotDone();
        rig.pass(TICK);
        assertUnavailable(tried);
    }

    @Test
    void aTryThatIsAnsweredWhileNobodySaysHowManyHaveItTakesNoLonger() {
        CompletableFuture<?> tried =
                tries(LockOptions.builder().replicas(1, WITHIN).build());
        assertThat(rig.redis.sent).isNotEmpty().allMatch(sent -> sent.answer().isDone());
        assertThat(tried).isNotDone();
        rig.pass(COMMAND.plus(WITHIN));
        assertUnavailable(tried);
    }

    private CompletableFuture<?> waits() {
        return rig.lock().acquireAsync().toCompletableFuture();
    }

    private void endBetweenTheToleranceAndOneCommandTimeoutLater(List<? extends CompletableFuture<?>> waits) {
        rig.pass(TOLERANCE.minus(TICK));
        assertThat(waits).noneMatch(CompletableFuture::isDone);
        rig.pass(COMMAND.plus(TICK));
        assertThat(waits).allSatisfy(SilentRedisTest::assertUnavailable);
    }

    @Test
    void waitsWithoutATimeLimitEndAtMostOneCommandTimeoutAfterTheOutageTolerance() {
        redisIsSilent();
        endBetweenTheToleranceAndOneCommandTimeoutLater(List.of(waits(), waits(), waits()));
    }

    @Test
    void soDoThoseThatHadAnswersBefore() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        List<CompletableFuture<?>> waits = List.of(waits(), waits());
        rig.pass(Duration.ofMinutes(5));
        redisIsSilent();
        int sent = rig.redis.sent("acquire").size();
        while (rig.redis.sent("acquire").size() == sent) {
            rig.pass(TICK);
        }
        endBetweenTheToleranceAndOneCommandTimeoutLater(waits);
    }
}
