package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The asynchronous operations of a lock, which block no thread. */
class AsyncContract extends ContractBase {

    @Test
    void theAsyncTwinsAcquireRefuseAndWait() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        Lease held = lock.acquireAsync().toCompletableFuture().get(1, TimeUnit.MINUTES);
        assertThat(lock.tryAcquireAsync().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isEmpty();
        assertThat(outOfDoubt(() -> outcome(lock.tryAcquireAsync(Duration.ofMillis(500)))))
                .isEmpty();
        assertThatThrownBy(() -> outOfDoubt(() -> outcome(lock.acquireAsync(Duration.ofMillis(500)))))
                .isInstanceOf(LockNotAcquiredException.class);
        CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
        held.close();
        waiting.get(1, TimeUnit.MINUTES).close();
        assertThat(holds(name)).isZero();
    }

    private static <T> T outcome(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void cancellingAnAsyncAcquireLeavesNothingHeld() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Lease> acquiring = lock.acquireAsync().toCompletableFuture();
            if (!acquiring.cancel(true)) {
                // Granted before the cancellation: the lease is the caller's.
                acquiring.join().close();
            }
        }
        Lease held = lock.acquire();
        CompletableFuture<Lease> waiting = client().lock(name).acquireAsync().toCompletableFuture();
        waiting.cancel(true);
        held.close();
        becomesFree(lock);
    }

    @Test
    void aStageThatItsCallerHasTimedOutIsGivenNoLease() throws Exception {
        // hazard 7: a caller that ends the future in another way than by cancelling has left too.
        String name = name();
        DistributedLock theirs = client().lock(name);
        Lease held = client().lock(name).acquire();
        CompletableFuture<Lease> abandoned =
                theirs.acquireAsync().toCompletableFuture().orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> abandoned.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(TimeoutException.class);
        CompletableFuture<Lease> ended = theirs.acquireAsync().toCompletableFuture();
        ended.completeExceptionally(new IllegalStateException("the caller has changed its mind"));
        CompletableFuture<Optional<Lease>> completed =
                theirs.tryAcquireAsync(Duration.ofSeconds(15)).toCompletableFuture();
        completed.complete(Optional.empty());
        held.close();
        isGivenBack(name);
    }

    @Test
    void dependentStagesRunNeitherOnTheCallersThreadNorOnTheConnections() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        // Another client holds it, so that the stage is not complete before something depends on it.
        Lease held = client().lock(name).acquire();
        CompletableFuture<Thread> where = new CompletableFuture<>();
        CompletableFuture<Boolean> done = lock.acquireAsync()
                .thenApply(lease -> {
                    where.complete(Thread.currentThread());
                    // On the thread that delivers the answers these two would wait for ever.
                    lease.close();
                    return lock.tryAcquire().isPresent();
                })
                .toCompletableFuture();
        held.close();
        assertThat(done.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(where.get(1, TimeUnit.MINUTES).getName()).contains("leasehold");
    }
}
