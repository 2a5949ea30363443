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

/** Calls that give a {@code Mono} or {@code Flux}: the lock is held for each subscription. Loaded only if Reactor is there. */
final class ReactiveCalls {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    /** In Reactor's context, for the calls inside. */
    private static final Object KEY = Frames.class;

    private final LockTaker taker;
    private final LockedMethod method;
    private final ProxyMethodInvocation invocation;

    private ReactiveCalls(LockTaker taker, LockedMethod method, ProxyMethodInvocation invocation) {
        this.taker = taker;
        this.method = method;
        this.invocation = invocation;
    }

    /** A subscription's claim: its hold, or why it got none. */
    private record Claim(@Nullable Hold hold, @Nullable LockNotAcquiredException busy) {}

    static Object call(LockTaker taker, LockedMethod method, ProxyMethodInvocation invocation) {
        ReactiveCalls call = new ReactiveCalls(taker, method, invocation);
        if (method.result() == LockedMethod.Result.MONO) {
            return Mono.deferContextual(call::mono);
        }
        return Flux.deferContextual(call::flux);
    }

    static List<Frame> frames(ContextView context) {
        List<Frame> frames = context.getOrDefault(KEY, List.<Frame>of());
        return frames == null ? List.of() : frames;
    }

    /** Its value is only told when the lock was released, so that the loss of the lease can still be. */
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
        /** Set by whoever sees to the end of the lease: the run of the method, or a cancel that came before. */
        private final AtomicBoolean seenTo = new AtomicBoolean();

        /** A cancel and the run may both come to the end. */
        private final AtomicBoolean ended = new AtomicBoolean();

        private final CompletableFuture<Claim> claim = new CompletableFuture<>();
        private @Nullable CompletableFuture<? extends Lease> taking;
        private volatile @Nullable Throwable loss;
        private volatile boolean cancelled;

        Attempt(List<Frame> outer) {
            this.outer = outer;
        }

        Mono<Claim> claim() {
            return Mono.defer(() -> {
                String name = method.name().of(invocation.getArguments());
                Template ownerTemplate = method.owner();
                String owner = ownerTemplate == null ? null : ownerTemplate.of(invocation.getArguments());
                Hold joined = Hold.join(outer, method, name, owner);
                if (joined != null) {
                    claim.complete(new Claim(joined, null));
                } else {
                    CompletableFuture<? extends Lease> begun =
                            taker.begin(method, name, owner).toCompletableFuture();
                    taking = begun;
                    CompletableFuture<?> unused =
                            begun.whenComplete((lease, error) -> settle(name, owner, lease, error));
                }
                return Mono.fromFuture(claim, true);
            });
        }

        private void settle(String name, @Nullable String owner, @Nullable Lease lease, @Nullable Throwable error) {
            Throwable cause = error instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : error;
            if (lease != null) {
                claim.complete(new Claim(taker.hold(method, name, owner, lease), null));
                return;
            }
            taker.failed();
            if (cause instanceof LockNotAcquiredException busy) {
                claim.complete(new Claim(null, busy));
            } else if (!cancelled) {
                claim.completeExceptionally(
                        cause == null ? new IllegalStateException("no lease, and no reason") : cause);
            }
        }

        /** What was claimed for nobody is given back, also if it comes later. */
        void cancel() {
            cancelled = true;
            if (seenTo.compareAndSet(false, true)) {
                CompletableFuture<? extends Lease> begun = taking;
                if (begun != null) {
                    begun.cancel(true);
                }
                CompletableFuture<?> unused =
                        claim.thenAccept(late -> endQuietly(late).subscribe());
            }
        }

        Publisher<Object> run(Claim claimed) {
            if (!seenTo.compareAndSet(false, true)) {
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
                // A clone, for each subscription calls anew.
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

        /** Ends the method as if it had ended itself; then the end tells of the loss. */
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

        /** Told after the end, for Reactor would wrap what the end fails of. */
        private Mono<Void> endWell(Claim claimed) {
            return end(claimed).onErrorResume(lost -> {
                loss = lost;
                return Mono.empty();
            });
        }

        private Mono<Object> loss() {
            return loss == null ? Mono.empty() : Mono.error(loss);
        }

        /** The loss of the lease does not hide what the method failed of. */
        private Mono<Void> endAfter(Claim claimed, Throwable error) {
            return end(claimed).onErrorResume(lost -> {
                if (lost != error) {
                    error.addSuppressed(lost);
                }
                return Mono.empty();
            });
        }

        /** Nobody listens any more. */
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
