package dev.leasehold.spring;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Calls that return a {@code Mono} or {@code Flux}: each subscription holds the lock. Loaded only with Reactor. */
final class ReactiveCalls {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    /** The key of the frames in Reactor's context, for nested calls. */
    private static final Object KEY = Frames.class;

    private final LockAcquirer acquirer;
    private final LockedMethod method;
    private final ProxyMethodInvocation invocation;

    private ReactiveCalls(LockAcquirer acquirer, LockedMethod method, ProxyMethodInvocation invocation) {
        this.acquirer = acquirer;
        this.method = method;
        this.invocation = invocation;
    }

    /** The result of a subscription's acquisition: its hold, or the reason why it has none. */
    private record Claim(@Nullable Hold hold, @Nullable LockNotAcquiredException busy) {}

    static Object call(LockAcquirer acquirer, LockedMethod method, ProxyMethodInvocation invocation) {
        ReactiveCalls call = new ReactiveCalls(acquirer, method, invocation);
        if (method.result() == LockedMethod.Result.MONO) {
            return Mono.deferContextual(call::mono);
        }
        return Flux.deferContextual(call::flux);
    }

    static List<Frame> frames(ContextView context) {
        List<Frame> frames = context.getOrDefault(KEY, List.<Frame>of());
        return frames == null ? List.of() : frames;
    }

    /** Emits the value only after the release, so that the loss of the lease can still be reported. */
    private Mono<Object> mono(ContextView context) {
        return flux(context).singleOrEmpty();
    }

    private Flux<Object> flux(ContextView context) {
        Attempt attempt = new Attempt(frames(context));
        return Flux.usingWhen(attempt.claim(), attempt::run, attempt::endWell, attempt::endAfter, attempt::endQuietly)
                .concatWith(Mono.defer(attempt::loss))
                .doOnCancel(attempt::cancel);
    }

    /** One subscription. */
    private final class Attempt {

        private final List<Frame> outer;
        /** Set by the party that ends the lease: the run of the method, or an earlier cancellation. */
        private final AtomicBoolean endAssigned = new AtomicBoolean();

        /** Makes the end idempotent, as a cancellation and the run may both reach it. */
        private final AtomicBoolean ended = new AtomicBoolean();

        private final CompletableFuture<Claim> claim = new CompletableFuture<>();
        private @Nullable CompletableFuture<? extends Lease> acquiring;
        private volatile @Nullable Throwable loss;
        private volatile boolean cancelled;

        Attempt(List<Frame> outer) {
            this.outer = outer;
        }

        Mono<Claim> claim() {
            return Mono.defer(() -> {
                RequestedLocks wanted = RequestedLocks.of(method, invocation.getArguments());
                Hold joined = Hold.join(outer, method, wanted);
                if (joined != null) {
                    claim.complete(new Claim(joined, null));
                } else {
                    CompletableFuture<? extends Lease> started =
                            acquirer.acquireAsync(method, wanted).toCompletableFuture();
                    acquiring = started;
                    CompletableFuture<?> unused = started.whenComplete((lease, error) -> settle(wanted, lease, error));
                }
                return Mono.fromFuture(claim, true);
            });
        }

        private void settle(RequestedLocks wanted, @Nullable Lease lease, @Nullable Throwable error) {
            Throwable cause = error instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : error;
            if (lease != null) {
                claim.complete(new Claim(acquirer.hold(method, wanted, lease), null));
                return;
            }
            acquirer.acquisitionFailed();
            if (cause instanceof LockNotAcquiredException busy) {
                claim.complete(new Claim(null, busy));
            } else if (!cancelled) {
                claim.completeExceptionally(
                        cause == null ? new IllegalStateException("neither a lease nor an error") : cause);
            }
        }

        /** Cancels the acquisition, and releases its lease, also one that arrives later. */
        void cancel() {
            cancelled = true;
            if (endAssigned.compareAndSet(false, true)) {
                CompletableFuture<? extends Lease> started = acquiring;
                if (started != null) {
                    started.cancel(true);
                }
                CompletableFuture<?> unused =
                        claim.thenAccept(late -> endQuietly(late).subscribe());
            }
        }

        Publisher<Object> run(Claim claimed) {
            if (!endAssigned.compareAndSet(false, true)) {
                return Mono.empty();
            }
            Hold hold = claimed.hold();
            if (hold == null) {
                return busy(claimed.busy());
            }
            Frame frame = new Frame(hold);
            Publisher<Object> result = Flux.defer(() -> invoke(frame));
            return Flux.from(result)
                    .contextWrite(context -> withFrame(context, frame))
                    .transform(running -> method.onLoss() == Lock.OnLoss.INTERRUPT
                            ? running.takeUntilOther(untilLost(hold))
                            : running);
        }

        private Context withFrame(Context context, Frame frame) {
            return context.put(KEY, Frames.plus(outer, frame));
        }

        private Publisher<Object> invoke(Frame frame) {
            Frames.push(frame);
            try {
                // A clone, as each subscription calls the method again.
                ProxyMethodInvocation clone = (ProxyMethodInvocation)
                        invocation.invocableClone(invocation.getArguments().clone());
                LockInterceptor.giveLease(clone, method, frame.hold().lease());
                return published(ExposeInvocationInterceptor.INSTANCE.invoke(clone));
            } catch (Throwable e) {
                return Mono.error(e);
            } finally {
                Frames.remove(frame);
            }
        }

        private Publisher<Object> busy(@Nullable LockNotAcquiredException busy) {
            try {
                return busy == null ? Mono.empty() : published(LockInterceptor.busy(method, invocation, busy));
            } catch (Throwable e) {
                return Mono.error(e);
            }
        }

        /** Completes on the loss, so that the method ends as if by itself; the end then reports the loss. */
        private static Mono<Object> untilLost(Hold hold) {
            return Mono.create(sink -> hold.lease().onLost(event -> sink.success()));
        }

        private Mono<Void> end(Claim claimed) {
            return Mono.defer(() -> {
                Hold hold = claimed.hold();
                return hold == null || !ended.compareAndSet(false, true)
                        ? Mono.empty()
                        : Mono.fromCompletionStage(hold.leaveAsync());
            });
        }

        /** Records the loss, to report it after the end: Reactor would wrap an error of the end itself. */
        private Mono<Void> endWell(Claim claimed) {
            return end(claimed).onErrorResume(lost -> {
                loss = lost;
                return Mono.empty();
            });
        }

        private Mono<Object> loss() {
            return loss == null ? Mono.empty() : Mono.error(loss);
        }

        /** Adds the loss of the lease to the method's error, which it does not hide. */
        private Mono<Void> endAfter(Claim claimed, Throwable error) {
            return end(claimed).onErrorResume(lost -> {
                if (lost != error) {
                    error.addSuppressed(lost);
                }
                return Mono.empty();
            });
        }

        /** Logs an error, as the subscriber has cancelled. */
        private Mono<Void> endQuietly(Claim claimed) {
            return end(claimed).onErrorResume(lost -> {
                LOG.debug("a cancelled call under a lock ended without its lease", lost);
                return Mono.empty();
            });
        }
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> published(@Nullable Object result) {
        return result == null ? Mono.empty() : (Publisher<Object>) result;
    }
}
