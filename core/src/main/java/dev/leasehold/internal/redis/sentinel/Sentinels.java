package dev.leasehold.internal.redis.sentinel;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.PathFactory;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.internal.redis.server.DirectRoute;
import dev.leasehold.internal.redis.shared.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Sentinels of a primary. All are asked for it at once, and the answer of most of them counts, so that one which
 * was cut off and tells old news is outvoted; if no majority of them answers within {@value #PATIENCE_MILLIS} ms, what
 * most of the others say. They are asked before each connection to the primary, when one of them publishes that it has
 * another, and every {@value #PERIOD_SECONDS} s.
 *
 * <p>The look-up of clients is not used, which asks one Sentinel after another and so waits long for one that is frozen.
 */
public final class Sentinels {

    static final int PATIENCE_MILLIS = 500;
    static final int PERIOD_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Sentinels.class);
    private static final long LONGEST_FIRST_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);
    private static final String SWITCH = "+switch-master";

    private final String name;
    private final String address;
    private final Scheduler scheduler;
    private final List<Sentinel> sentinels;
    private final Set<Sentinel> subscribed = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Question> underWay = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile long patienceNanos;
    private volatile @Nullable RedisAddress primary;
    private volatile Runnable onSwitch = () -> {};
    private volatile boolean closed;

    /** One of them, with the two connections to it. */
    private record Sentinel(String address, CommandPath questions, Subscriptions news) {}

    /** Creates the object without connecting. */
    public Sentinels(RedisConnector connector, PathFactory paths, Scheduler scheduler) {
        ConnectorInfo info = connector.info();
        this.name = Objects.requireNonNull(info.primaryName());
        this.address = info.address();
        this.scheduler = scheduler;
        long connectTimeoutNanos = info.connectTimeout().toNanos();
        // A wait for silent Sentinels must leave time to connect to the primary that the others name.
        this.patienceNanos = Math.min(connectTimeoutNanos / 2, LONGEST_FIRST_PATIENCE_NANOS);
        sentinels = info.seeds().stream()
                .map(each -> {
                    ServerRoute route = DirectRoute.toSentinel(connector, each);
                    return new Sentinel(
                            route.address(),
                            paths.batches(route),
                            new Subscriptions(route, Subscriptions.Kind.PLAIN, connectTimeoutNanos, scheduler));
                })
                .toList();
    }

    /** Sets what is called when another server has become the primary. */
    public void onSwitch(Runnable action) {
        onSwitch = action;
    }

    /** Returns whether this was the primary at the last query of the Sentinels. */
    boolean isPrimary(RedisAddress server) {
        return server.equals(primary);
    }

    /** Asks, or joins the question that is under way. */
    CompletableFuture<RedisAddress> primary() {
        Question question = new Question();
        Question other = underWay.compareAndExchange(null, question);
        if (other != null) {
            return other.answer;
        }
        question.ask();
        return question.answer;
    }

    /** Starts the subscriptions and the periodic query, after the first answer of a Sentinel. */
    private void begin() {
        if (started.compareAndSet(false, true)) {
            patienceNanos = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
            subscribeToNews();
            later();
        }
    }

    /** Subscribes at those that were not to be reached the last time. */
    private void subscribeToNews() {
        for (Sentinel each : sentinels) {
            if (subscribed.add(each)) {
                each.news().subscribe(SWITCH, new News()).whenComplete((subscription, failure) -> {
                    if (failure != null) {
                        LOG.debug("The subscription at a Sentinel of {} failed", name, failure);
                        subscribed.remove(each);
                    }
                });
            }
        }
    }

    private void later() {
        Future<?> unused = scheduler.schedule(
                () -> {
                    if (!closed) {
                        CompletionStage<RedisAddress> unusedAnswer = primary();
                        subscribeToNews();
                        later();
                    }
                },
                TimeUnit.SECONDS.toNanos(PERIOD_SECONDS));
    }

    private void know(RedisAddress now) {
        RedisAddress before = primary;
        primary = now;
        begin();
        if (before != null && !before.equals(now)) {
            LOG.info("{} is {} now, no longer {}", name, now, before);
            onSwitch.run();
        }
    }

    /** Ends all connections to them. Does not block. */
    public void close(String reason) {
        closed = true;
        sentinels.forEach(each -> {
            each.questions().close(reason);
            each.news().close(reason);
        });
    }

    /** The periodic query covers Sentinels without a subscription. */
    private final class News implements ChannelListener {

        @Override
        public void message(String message) {
            if (message.startsWith(name + " ")) {
                CompletionStage<RedisAddress> unused = primary();
            }
        }

        @Override
        public void resubscribed() {
            CompletionStage<RedisAddress> unused = primary();
        }
    }

    /** One question to all. The lock is for the counting only: nothing is told or completed under it. */
    private final class Question {
        final CompletableFuture<RedisAddress> answer = new CompletableFuture<>();
        private final ReentrantLock lock = new ReentrantLock();
        private final PrimaryVote vote = new PrimaryVote(sentinels.size());

        void ask() {
            sentinels.forEach(this::ask);
        }

        private void ask(Sentinel sentinel) {
            long patience = patienceNanos;
            TextCommand command = new TextCommand(List.of("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name));
            Future<?> limit = scheduler.schedule(() -> command.cancel(false), patience);
            CompletionStage<?> unused = command.whenComplete((reply, failure) -> {
                limit.cancel(false);
                answered(sentinel, reply, failure);
            });
            sentinel.questions().send(command, patience);
        }

        private void answered(Sentinel sentinel, @Nullable Object reply, @Nullable Throwable failure) {
            RedisAddress outcome;
            lock.lock();
            try {
                if (failure == null) {
                    vote.answered(reply);
                } else {
                    vote.failed(Failures.of(failure, false, sentinel.address()));
                }
                if (!vote.decides()) {
                    return;
                }
                outcome = vote.outcome();
            } finally {
                lock.unlock();
            }
            underWay.compareAndSet(this, null);
            if (outcome == null) {
                RuntimeException reason = vote.failure();
                answer.completeExceptionally(reason != null ? reason : unknown());
            } else {
                know(outcome);
                answer.complete(outcome);
            }
        }

        private TransportException unknown() {
            return new TransportException(
                    "the sentinels at " + address + " know no primary called " + name + "; check sentinelMasterId",
                    false,
                    null);
        }
    }
}
