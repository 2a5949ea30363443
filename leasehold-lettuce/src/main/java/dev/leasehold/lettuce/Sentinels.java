package dev.leasehold.lettuce;

import dev.leasehold.lettuce.LettuceNode.Way;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Sentinels of a primary. All are asked for it at once, and the answer of most of them counts, so that one which
 * was cut off and tells old news is outvoted; if no majority of them answers within {@value #PATIENCE_MILLIS} ms, what
 * most of the others say. They are asked before each connection to the primary, when one of them publishes that it has
 * another, and every {@value #PERIOD_SECONDS} s.
 *
 * <p>Lettuce's own look-up is not used, which asks one sentinel after another and so waits long for one that is frozen.
 */
final class Sentinels {

    static final int PATIENCE_MILLIS = 500;
    static final int PERIOD_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Sentinels.class);
    private static final String SWITCH = "+switch-master";

    private final String name;
    private final String address;
    private final Delays delays;
    private final List<LettuceNode> nodes;
    private final List<LettuceSubscriptions> news;
    private final Set<LettuceSubscriptions> subscribedSentinels = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Question> underWay = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile long patienceNanos;
    private volatile @Nullable Endpoint primary;
    private volatile Runnable onSwitch = () -> {};
    private volatile boolean closed;

    /**
     * Creates the object without connecting.
     *
     * @param client the client that opens the connections
     * @param sentinels where they are, and how they are spoken to
     * @param name of the primary
     * @param address all of them, for messages
     * @param firstPatienceNanos how long they have for the first answer, when they are yet to be connected to
     */
    Sentinels(RedisClient client, List<RedisURI> sentinels, String name, String address, long firstPatienceNanos) {
        EventExecutorGroup executors = client.getResources().eventExecutorGroup();
        this.name = name;
        this.address = address;
        this.patienceNanos = firstPatienceNanos;
        delays = new Delays(executors);
        nodes = sentinels.stream()
                .map(uri -> new LettuceNode(
                        new LettuceConnector(client, uri, scheme(uri) + new Endpoint(uri.getHost(), uri.getPort())),
                        executors))
                .toList();
        news = nodes.stream()
                .map(node -> new LettuceSubscriptions(node, executors, ChannelKind.PLAIN))
                .toList();
    }

    /** Returns the scheme of addresses with this security. */
    static String scheme(RedisURI uri) {
        return (uri.isSsl() ? RedisSentinels.TLS_SCHEME : RedisSentinels.SCHEME) + "://";
    }

    /** Sets what is called when another server has become the primary. */
    void onSwitch(Runnable action) {
        onSwitch = action;
    }

    /** Returns whether this was the primary at the last query of the Sentinels. */
    boolean isPrimary(Endpoint endpoint) {
        return endpoint.equals(primary);
    }

    /** Asks, or joins the question that is under way. */
    CompletionStage<Endpoint> primary() {
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
        for (LettuceSubscriptions each : news) {
            if (subscribedSentinels.add(each)) {
                each.subscribe(SWITCH, new News()).whenComplete((subscription, failure) -> {
                    if (failure != null) {
                        LOG.debug("The subscription at a Sentinel of {} failed", name, failure);
                        subscribedSentinels.remove(each);
                    }
                });
            }
        }
    }

    private void later() {
        Future<?> unused = delays.schedule(
                () -> {
                    if (!closed && !delays.isOver()) {
                        CompletionStage<Endpoint> unusedAnswer = primary();
                        subscribeToNews();
                        later();
                    }
                },
                TimeUnit.SECONDS.toNanos(PERIOD_SECONDS));
    }

    private void know(Endpoint now) {
        Endpoint before = primary;
        primary = now;
        begin();
        if (before != null && !before.equals(now)) {
            LOG.info("{} is {} now, no longer {}", name, now, before);
            onSwitch.run();
        }
    }

    CompletionStage<Void> close(String reason) {
        closed = true;
        CompletableFuture<?>[] all = Stream.concat(
                        nodes.stream().map(node -> node.close(reason)),
                        news.stream().map(each -> each.close(reason)))
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all);
    }

    /** The periodic query covers Sentinels without a subscription. */
    private final class News implements ChannelListener {

        @Override
        public void message(String message) {
            if (message.startsWith(name + " ")) {
                CompletionStage<Endpoint> unused = primary();
            }
        }

        @Override
        public void resubscribed() {
            CompletionStage<Endpoint> unused = primary();
        }
    }

    /** One question to all. The lock is for the counting only: nothing is told or completed under it. */
    private final class Question {
        final CompletableFuture<Endpoint> answer = new CompletableFuture<>();
        private final ReentrantLock lock = new ReentrantLock();
        private final Map<Endpoint, Integer> votes = new HashMap<>();
        private boolean decided;
        private int outstanding = nodes.size();
        private @Nullable RuntimeException last;

        void ask() {
            nodes.forEach(this::ask);
        }

        private void ask(LettuceNode node) {
            long patience = patienceNanos;
            SentCommand<@Nullable Object> command = node.send(
                    Way.LANE, patience, new ReplyOutput(), List.of("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name));
            Future<?> limit = delays.schedule(() -> command.cancel(false), patience);
            command.onComplete((reply, failure) -> {
                limit.cancel(false);
                answered(node, reply, failure);
            });
        }

        private void answered(LettuceNode node, @Nullable Object reply, @Nullable Throwable failure) {
            Endpoint outcome;
            lock.lock();
            try {
                outstanding--;
                if (failure != null) {
                    RuntimeException reason = Failures.of(failure, false, node.address());
                    last = last instanceof RedisErrorException ? last : reason;
                } else if (reply instanceof List<?> named && named.size() == 2) {
                    votes.merge(endpoint(named), 1, Integer::sum);
                }
                outcome = outcome();
                if (decided || (outcome == null && outstanding > 0)) {
                    return;
                }
                decided = true;
            } finally {
                lock.unlock();
            }
            underWay.compareAndSet(this, null);
            if (outcome == null) {
                answer.completeExceptionally(last != null ? last : unknown());
            } else {
                know(outcome);
                answer.complete(outcome);
            }
        }

        private static Endpoint endpoint(List<?> named) {
            return new Endpoint(String.valueOf(named.get(0)), Integer.parseInt(String.valueOf(named.get(1))));
        }

        /** Returns the answer of a majority; once no further answers count, the most frequent answer. */
        private @Nullable Endpoint outcome() {
            return votes.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .filter(most -> outstanding == 0 || most.getValue() > nodes.size() / 2)
                    .map(Map.Entry::getKey)
                    .orElse(null);
        }

        private TransportException unknown() {
            return new TransportException(
                    "the sentinels at " + address + " know no primary called " + name + "; is sentinelMasterId right?",
                    false,
                    null);
        }
    }
}
