package dev.leasehold.internal.waitgraph;

import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells who asks what the threads of this process wait for. It listens from the first wait of this client on, and answers a limited
 * number of questions a second. Safe for use by any thread.
 */
public final class WaitResponder implements ChannelListener {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.waitgraph");

    /** Each answer reads all leases of the client: so many a second, and so many at once. */
    private static final long NANOS_BETWEEN = 20_000_000;

    private static final long MOST_AT_ONCE = 20;

    /** The longest question, with the ids of a hundred threads, is shorter. */
    private static final int LONGEST_QUESTION = 4096;

    private final KeyPrefix prefix;
    private final LocalWaits local;
    private final ServerQueries queries;
    private final TimeSource time;
    private final Executor executor;
    private final boolean sharesStacks;
    private final AtomicBoolean listens = new AtomicBoolean();
    /** The moment from which on answers at this pace would have come. */
    private final AtomicLong paced;

    /**
     * Creates one that does not listen yet.
     *
     * @param sharesStacks whether its answers have the stacks that were asked for: everybody with the right to publish can ask
     */
    public WaitResponder(
            KeyPrefix prefix,
            LocalWaits local,
            ServerQueries queries,
            TimeSource time,
            Executor executor,
            boolean sharesStacks) {
        this.prefix = prefix;
        this.local = local;
        this.queries = queries;
        this.time = time;
        this.executor = executor;
        this.sharesStacks = sharesStacks;
        this.paced = new AtomicLong(time.nanoTime());
    }

    /** Begins to listen, unless it does; tries again with the next wait if it cannot. */
    public void listen() {
        if (!listens.compareAndSet(false, true)) {
            return;
        }
        try {
            queries.transport()
                    .subscribe(WaitQuestion.channel(prefix, local.process()), this)
                    .whenComplete((subscription, failure) -> {
                        if (failure != null) {
                            listens.set(false);
                            LOG.debug(
                                    "who asks what threads wait for gets no answer: {}",
                                    RequestFailures.reason(RequestFailures.unwrap(failure)));
                        }
                    });
        } catch (RuntimeException e) {
            listens.set(false);
            LOG.debug("who asks what threads wait for gets no answer: {}", RequestFailures.reason(e));
        }
    }

    @Override
    public void message(String message) {
        // Before the executor, which has a thread for each of its tasks: everybody with the right to publish can ask.
        WaitQuestion question = message.length() <= LONGEST_QUESTION ? WaitQuestion.read(prefix, message) : null;
        if (question == null) {
            LOG.debug("a message on the channel of this process is no question");
            return;
        }
        if (!isInPace()) {
            LOG.debug("a question was not answered: there are too many");
            return;
        }
        try {
            executor.execute(() -> answer(question));
        } catch (RejectedExecutionException closed) {
            LOG.debug("a question was not answered: the event executor refused it", closed);
        }
    }

    private boolean isInPace() {
        long now = time.nanoTime();
        long next = paced.updateAndGet(before -> (before - now > 0 ? before : now) + NANOS_BETWEEN);
        if (next - now > MOST_AT_ONCE * NANOS_BETWEEN) {
            paced.addAndGet(-NANOS_BETWEEN);
            return false;
        }
        return true;
    }

    private void answer(WaitQuestion question) {
        String text = local.answer(question.number(), sharesStacks ? question.threads() : Set.of());
        queries.transport()
                .command(null, List.of("PUBLISH", question.replyTo(), text))
                .whenComplete((reply, failure) -> {
                    if (failure != null) {
                        LOG.debug(
                                "an answer could not be published: {}",
                                RequestFailures.reason(RequestFailures.unwrap(failure)));
                    }
                });
    }
}
