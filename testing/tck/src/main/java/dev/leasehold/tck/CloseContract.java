package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The end of a client: it leaves nothing behind, and no caller waits for ever. */
class CloseContract extends WiredBase {

    @Test
    void closingTheClientReleasesWhatItHoldsAndWakesItsWaiters() throws Exception {
        String name = name();
        String other = name();
        Leasehold closing = client();
        Lease held = closing.lock(name).acquire();
        Lease foreign = client().lock(other).acquire();
        CompletableFuture<Lease> waiting = inThread(() -> closing.lock(other).acquire());
        await().until(() -> !waiting.isDone());
        closing.close();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(holds(name)).isZero();
        assertThat(held.isHeld()).isFalse();
        held.close();
        foreign.ensureHeld();
        assertThatThrownBy(() -> closing.lock(name))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        closing.close();
    }

    @Test
    void useAfterCloseIsRefused() throws Exception {
        Leasehold leasehold = client();
        DistributedLock lock = leasehold.lock(name());
        leasehold.close();
        for (Executable use :
                List.<Executable>of(lock::tryAcquire, lock::lock, lock::tryLock, lock::acquire, lock::inspect)) {
            assertThatThrownBy(use::execute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(lock.acquireAsync().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void aClientThatIsClosedWhileItAcquiresLeavesNothingHeld() throws Exception {
        // hazard 7: granted, but the answer is still on its way when the client closes.
        String name = name();
        CompletableFuture<Boolean> granted = new CompletableFuture<>();
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        Wiretap wire = wire();
        wire.nextAcquire((call, go) -> {
            CompletionStage<List<String>> reply = go.get();
            reply.whenComplete((value, failure) -> granted.complete(true));
            return reply.thenCombine(answer, (value, now) -> value);
        });
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofSeconds(3)));
        CompletableFuture<Lease> acquiring = inThread(() -> leasehold.lock(name).acquire());
        granted.get(1, TimeUnit.MINUTES);
        CompletableFuture<Boolean> closing = inThread(() -> {
            leasehold.close();
            return true;
        });
        await().until(() -> refusesNewWork(leasehold));
        answer.complete(List.of());
        closing.get(1, TimeUnit.MINUTES);
        assertThatThrownBy(() -> acquiring.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(holds(name)).isZero();
    }

    private static boolean refusesNewWork(Leasehold leasehold) {
        try {
            leasehold.lock("any");
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    @Test
    void aReleaseThatIsUnderWayWhenTheClientClosesIsFinished() throws Exception {
        String name = name();
        CompletableFuture<Boolean> leaving = new CompletableFuture<>();
        Wiretap wire = wire();
        Leasehold leasehold = client(wire, builder -> {});
        Lease lease = leasehold.lock(name).acquire();
        wire.next("release", (call, go) -> {
            leaving.complete(true);
            await().until(() -> refusesNewWork(leasehold));
            return go.get();
        });
        CompletableFuture<Boolean> releasing = inThread(() -> {
            lease.close();
            return true;
        });
        leaving.get(1, TimeUnit.MINUTES);
        leasehold.close();
        assertThat(releasing.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(holds(name)).isZero();
    }

    @Test
    void aClientThatIsClosedWhileItsAsyncAcquireWaitsEndsTheStage() throws Exception {
        String name = name();
        Lease held = client().lock(name).acquire();
        Leasehold leasehold = client();
        CompletableFuture<Lease> waiting = leasehold.lock(name).acquireAsync().toCompletableFuture();
        leasehold.close();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        held.close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void closingEndsInTimeAlsoWhenRedisDoesNotAnswer() throws Exception {
        FaultProxy proxy = proxy();
        Leasehold leasehold = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Lease lease = leasehold.lock(name()).acquire();
        proxy.swallow();
        CompletableFuture<Boolean> closing = inThread(() -> {
            leasehold.close();
            return true;
        });
        assertThat(closing.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }
}
