package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
    void workThatEndsLaterHoldsItsLeaseUntilThen() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        DistributedLock other = client().lock(name);
        CompletableFuture<Lease> begun = new CompletableFuture<>();
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = lock.callAsync(LIMIT, lease -> {
                    begun.complete(lease);
                    return work;
                })
                .toCompletableFuture();
        Lease lease = begun.get(1, TimeUnit.MINUTES);
        assertThat(other.tryAcquire()).isEmpty();
        assertThat(result).isNotDone();
        work.complete("done");
        assertThat(result.get(1, TimeUnit.MINUTES)).isEqualTo("done");
        assertThat(lease.isHeld()).isFalse();
        becomesFree(other);
    }

    @Test
    void theLeaseOfWorkThatFailsIsReleased() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name);
        IllegalStateException own = new IllegalStateException("the work failed");
        assertThatThrownBy(() -> outcome(lock.callAsync(LIMIT, lease -> CompletableFuture.failedFuture(own))))
                .isSameAs(own);
        becomesFree(lock);
        assertThatThrownBy(() -> outcome(lock.callAsync(LIMIT, lease -> {
                    throw own;
                })))
                .isSameAs(own);
        becomesFree(lock);
        // As a function of another language may throw it.
        IOException checked = new IOException("the work failed");
        assertThatThrownBy(() -> outcome(lock.callAsync(LIMIT, lease -> {
                    throw AsyncContract.<RuntimeException>unchecked(checked);
                })))
                .isSameAs(checked);
        becomesFree(lock);
        assertThatThrownBy(() -> outcome(lock.callAsync(LIMIT, lease -> {
                    delete(key(name));
                    return CompletableFuture.completedFuture("too late");
                })))
                .isInstanceOf(LeaseLostException.class);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // on purpose
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }

    @Test
    void workWhoseCallerHasLeftDoesNotBegin() throws Exception {
        String name = name();
        Lease held = client().lock(name).acquire();
        AtomicInteger runs = new AtomicInteger();
        CompletableFuture<Integer> left = client().lock(name)
                .callAsync(LIMIT, lease -> CompletableFuture.completedFuture(runs.incrementAndGet()))
                .toCompletableFuture();
        // A quorum has no queue.
        if (!topology().isQuorum()) {
            untilWaiting(name, 1);
        }
        left.cancel(false);
        if (!topology().isQuorum()) {
            await().until(() -> field(name, "wn").equals("null"));
        }
        held.close();
        isGivenBack(name);
        assertThat(runs).hasValue(0);
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
