package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.FailedEvent;
import dev.leasehold.event.FailureReason;
import dev.leasehold.internal.connect.LateTransport;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Every acquisition that ends with an exception is an event, with the reason that an operator acts on. */
class FailedAcquisitionsTest {

    private final EngineRig rig = new EngineRig();

    private CompletableFuture<Lease> acquire(LockOptions options) {
        return rig.lock(options).acquireAsync(Duration.ofSeconds(5)).toCompletableFuture();
    }

    private void failsFor(FailureReason reason) {
        CompletableFuture<Lease> failing = acquire(EngineRig.OPTIONS);
        rig.pass(Duration.ofMinutes(1));
        assertThat(failing).isCompletedExceptionally();
        assertThat(rig.failed).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo(reason);
            assertThat(event.lockName()).isEqualTo("a");
            assertThat(event.failure())
                    .isSameAs(failing.handle((lease, failure) -> failure).join());
        });
    }

    private void refused(String error) {
        for (String script : List.of("acquire", "acquire_free")) {
            rig.redis.fails(script, new RedisErrorException(error));
        }
    }

    @Test
    void withoutAnAnswer() {
        rig.redis.silent("acquire");
        failsFor(FailureReason.NO_ANSWER);
    }

    @Test
    void withoutAConnection() {
        for (String script : List.of("acquire", "acquire_free")) {
            rig.redis.fails(script, new TransportException("refused", false, null));
        }
        failsFor(FailureReason.NO_ANSWER);
    }

    @Test
    void duringAFailover() {
        refused("READONLY You can't write against a read only replica.");
        failsFor(FailureReason.NO_ANSWER);
    }

    @Test
    void withoutMemory() {
        refused("OOM command not allowed when used memory > 'maxmemory'.");
        failsFor(FailureReason.OUT_OF_MEMORY);
    }

    @Test
    void withoutARight() {
        refused("NOPERM this user has no permissions to run the 'evalsha' command");
        failsFor(FailureReason.NOT_PERMITTED);
    }

    @Test
    void forAnErrorThatNobodyKnows() {
        refused("ERR something else");
        failsFor(FailureReason.REFUSED);
    }

    @Test
    void forAKeyWithOtherData() {
        rig.redis.answers("acquire", call -> rig.redis.reply("foreign", "a string"));
        failsFor(FailureReason.REFUSED);
    }

    @Test
    void withoutReplicas() {
        rig.redis.acknowledged = CompletableFuture.completedFuture(0L);
        CompletableFuture<Lease> failing = acquire(EngineRig.OPTIONS.toBuilder()
                .replicas(2, Duration.ofMillis(100))
                .build());
        rig.pass(Duration.ofMinutes(1));
        assertThat(failing).isCompletedExceptionally();
        assertThat(rig.failed).extracting(FailedEvent::reason).containsExactly(FailureReason.TOO_FEW_REPLICAS);
    }

    @Test
    void becauseTheAnswerArrivesAfterTheLeaseHasEnded() {
        rig.redis.answers("acquire", call -> {
            rig.time.pauseProcess(EngineRig.LEASE.plusSeconds(1));
            return rig.redis.reply("granted", call.args().get(1), "5");
        });
        assertThatThrownBy(() -> rig.lock().tryAcquire()).hasMessageContaining("after the lease had ended");
        assertThat(rig.failed).extracting(FailedEvent::reason).containsExactly(FailureReason.NO_ANSWER);
    }

    /** The client started without Redis, which refuses its password. */
    @Test
    void becauseTheStartIsRefused() {
        LateTransport late = new LateTransport("127.0.0.1:6379");
        late.failed(
                "refused", new LockUnavailableException("", false, "refused", new RedisErrorException("WRONGPASS no")));
        for (String script : List.of("acquire", "acquire_free")) {
            rig.redis.fails(script, failureOf(late));
        }
        failsFor(FailureReason.NOT_PERMITTED);
    }

    private static RuntimeException failureOf(LateTransport late) {
        return (RuntimeException) late.describe()
                .handle((description, failure) -> failure)
                .toCompletableFuture()
                .join();
    }

    @Test
    void ofAClientThatIsClosed() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> waiter = acquire(EngineRig.OPTIONS);
        rig.engine.shutDown();
        assertThat(waiter).isCompletedExceptionally();
        assertThat(rig.failed).extracting(FailedEvent::reason).containsExactly(FailureReason.CLOSED);
    }

    /** Neither is what others hold, or what the caller gave up. */
    @Test
    void butNotIfItIsBusyOrCancelled() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(rig.lock().tryAcquire()).isEmpty();
        acquire(EngineRig.OPTIONS).cancel(false);
        assertThat(rig.failed).isEmpty();
    }
}
