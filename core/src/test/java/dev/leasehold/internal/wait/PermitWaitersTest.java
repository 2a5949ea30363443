package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Each waiter for permits asks for itself, whatever its rank in the queue of its client. */
class PermitWaitersTest {

    private final EngineRig rig = new EngineRig();
    private final DistributedSemaphore permits = rig.engine.semaphore(EngineRig.KEY, 3, EngineRig.OPTIONS);

    private List<String> busy(ScriptCall call) {
        return rig.redis.reply("busy", "30000000", "7", "0");
    }

    private List<String> requests(String id) {
        return rig.redis.sent("acquire").stream()
                .map(sent -> sent.arg(0))
                .filter(id::equals)
                .toList();
    }

    @Test
    void aWaiterWhoseAnswerIsLostAsksAgainThoughItIsNotTheFirst() {
        rig.redis.answers("acquire", this::busy);
        CompletableFuture<Lease> first = permits.acquireAsync().toCompletableFuture();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> second = permits.acquireAsync().toCompletableFuture();
        String id = rig.redis.last("acquire").arg(0);
        assertThat(requests(id)).hasSize(1);
        rig.redis.answers(
                "acquire",
                call -> call.args().get(0).equals(id)
                        ? rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros()))
                        : busy(call));
        rig.time.pass(Duration.ofSeconds(4));
        assertThat(requests(id)).hasSizeGreaterThan(1);
        assertThat(second).isCompleted();
        assertThat(first).isNotDone();
    }

    @Test
    void aWaiterWhoseAnswerIsLostMakesNoOutageForOthers() {
        rig.redis.answers("acquire", this::busy);
        CompletableFuture<Lease> first = permits.acquireAsync().toCompletableFuture();
        CompletableFuture<Optional<Lease>> timed =
                permits.tryAcquireAsync(Duration.ofSeconds(3)).toCompletableFuture();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> second = permits.acquireAsync().toCompletableFuture();
        String id = rig.redis.last("acquire").arg(0);
        rig.redis.judges("acquire", call -> {
            if (call.args().get(0).equals(id)) {
                throw new TransportException("lost", true, null);
            }
            return busy(call);
        });
        rig.time.pass(Duration.ofSeconds(4));
        assertThat(timed).isCompletedWithValue(Optional.empty());
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }
}
