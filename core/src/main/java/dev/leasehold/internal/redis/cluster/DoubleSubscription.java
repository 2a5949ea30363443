package dev.leasehold.internal.redis.cluster;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two subscriptions of one listener: the stage, completed once both have begun, and then the handle that ends both. */
final class DoubleSubscription extends CompletableFuture<AutoCloseable> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DoubleSubscription.class);

    private volatile List<AutoCloseable> begun = List.of();

    /** Waits for both; if one of them cannot begin, the other ends. */
    DoubleSubscription(CompletionStage<AutoCloseable> first, CompletionStage<AutoCloseable> second) {
        CompletionStage<?> unused = first.whenComplete((one, noFirst) -> second.whenComplete((other, noSecond) -> {
            begun = Stream.of(one, other).filter(Objects::nonNull).toList();
            Throwable failure = noFirst == null ? noSecond : noFirst;
            if (failure != null) {
                close();
                completeExceptionally(failure);
            } else if (!complete(this)) {
                // It was cancelled.
                close();
            }
        }));
    }

    @Override
    public void close() {
        begun.forEach(DoubleSubscription::end);
    }

    private static void end(AutoCloseable subscription) {
        try {
            subscription.close();
        } catch (Exception e) {
            LOG.debug("one of two subscriptions did not end: {}", e.toString());
        }
    }
}
