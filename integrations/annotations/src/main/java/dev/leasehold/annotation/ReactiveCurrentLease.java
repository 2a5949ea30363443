package dev.leasehold.annotation;

import dev.leasehold.Lease;
import java.util.List;
import reactor.core.publisher.Mono;

/** The lease under which a {@code Mono} or {@code Flux} of a method with {@link Lock} runs. Requires Reactor. */
public final class ReactiveCurrentLease {

    private ReactiveCurrentLease() {}

    /**
     * Returns the lease of the innermost method, for use in the operators of its result.
     *
     * @return the lease; fails with {@link IllegalStateException} if there is none
     */
    public static Mono<Lease> get() {
        return Mono.deferContextual(context -> {
            List<Frame> frames = ReactiveCalls.frames(context);
            return frames.isEmpty()
                    ? Mono.error(new IllegalStateException(
                            "no method with @Lock is above in this chain of operators: subscribe to its result"))
                    : Mono.just(frames.get(frames.size() - 1).hold().lease());
        });
    }
}
