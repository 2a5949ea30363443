package dev.leasehold.internal.redis.cluster;

import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.spi.TransportException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one node of a cluster after another for the owners of the slots, until one answers: after a failure, and every
 * {@value #PERIOD_SECONDS} s. At most one question is under way, and never more than one a second begins of its own. A
 * node that does not answer within {@value #PATIENCE_MILLIS} ms is passed over, and its connection suspected.
 */
final class TopologyRefresh {

    static final int PERIOD_SECONDS = 30;
    static final int PATIENCE_MILLIS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(TopologyRefresh.class);
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Scheduler scheduler;
    private final Function<Boolean, List<Server>> candidates;
    private final BiConsumer<Server, ClusterView> onView;
    private final AtomicReference<@Nullable CompletableFuture<ClusterView>> underWay = new AtomicReference<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile long lastBegan;
    private volatile boolean closed;

    /**
     * Prepares it; {@link #begin()} starts the clock.
     *
     * @param candidates the nodes to ask, in this order; the argument is whether the refresh is periodic
     * @param onView called with each topology and the node that reported it
     */
    TopologyRefresh(
            Scheduler scheduler, Function<Boolean, List<Server>> candidates, BiConsumer<Server, ClusterView> onView) {
        this.scheduler = scheduler;
        this.candidates = candidates;
        this.onView = onView;
        lastBegan = scheduler.nanoTime() - INTERVAL_NANOS;
    }

    /** Asks from now on once in a while. */
    void begin() {
        later(TimeUnit.SECONDS.toNanos(PERIOD_SECONDS), () -> {
            CompletableFuture<ClusterView> unused = ask(true, PATIENCE_NANOS);
            begin();
        });
    }

    /** Something went wrong: asks at once, or as soon as the last question is a second old. */
    void soon() {
        if (due.compareAndSet(false, true)) {
            later(lastBegan + INTERVAL_NANOS - scheduler.nanoTime(), () -> {
                due.set(false);
                CompletableFuture<ClusterView> unused = now();
            });
        }
    }

    private void later(long delayNanos, Runnable task) {
        Future<?> unused = scheduler.schedule(
                () -> {
                    if (!closed) {
                        task.run();
                    }
                },
                delayNanos);
    }

    /** Asks at once, or joins the question that is under way. */
    CompletableFuture<ClusterView> now() {
        return ask(false, PATIENCE_NANOS);
    }

    /** Asks for the first time, and with more patience, for only the nodes that were named can be asked. */
    CompletableFuture<ClusterView> first(long patienceNanos) {
        return ask(false, patienceNanos);
    }

    private CompletableFuture<ClusterView> ask(boolean routine, long patienceNanos) {
        CompletableFuture<ClusterView> asked = new CompletableFuture<>();
        CompletableFuture<ClusterView> other = underWay.compareAndExchange(null, asked);
        if (other != null) {
            return other;
        }
        lastBegan = scheduler.nanoTime();
        Question question = new Question(candidates.apply(routine).iterator(), patienceNanos, asked);
        question.ask(new TransportException("no node to ask", false, null));
        return asked;
    }

    void close() {
        closed = true;
    }

    /** From the first node that is asked to the first that answers. */
    private final class Question {
        private final Iterator<Server> rest;
        private final long patienceNanos;
        private final CompletableFuture<ClusterView> asked;

        Question(Iterator<Server> nodes, long patienceNanos, CompletableFuture<ClusterView> asked) {
            this.rest = nodes;
            this.patienceNanos = patienceNanos;
            this.asked = asked;
        }

        /** Asks the next, after the last failed. */
        void ask(RuntimeException last) {
            if (!rest.hasNext()) {
                LOG.debug("No node of the Redis Cluster answered CLUSTER SLOTS", last);
                underWay.set(null);
                asked.completeExceptionally(last);
                return;
            }
            Server node = rest.next();
            TextCommand command = new TextCommand(List.of("CLUSTER", "SLOTS"));
            Future<?> limit = scheduler.schedule(() -> command.cancel(false), patienceNanos);
            CompletionStage<?> unused = command.whenComplete((reply, failure) -> {
                limit.cancel(false);
                answered(node, reply, failure);
            });
            node.batches().send(command, patienceNanos);
        }

        private void answered(Server node, @Nullable Object reply, @Nullable Throwable failure) {
            ClusterView view;
            try {
                if (failure != null) {
                    throw Failures.of(failure, false, node.address());
                }
                view = ClusterView.parse(reply, node.endpoint().host());
            } catch (RuntimeException e) {
                ask(e);
                return;
            }
            if (view.ranges().isEmpty() && rest.hasNext()) {
                // It has left the cluster, or has not joined it yet.
                ask(new TransportException(node.address() + " knows no slots", false, null));
                return;
            }
            onView.accept(node, view);
            underWay.set(null);
            asked.complete(view);
        }
    }
}
