package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the heartbeats of all positions of this client in one request, while it waits for several locks. A position
 * whose heartbeat was received need not poll for a while. Every other polls as if there were no such request, so nothing
 * depends on it.
 */
public final class QueueHeartbeats implements BatchSender.Request<Void> {

    /** A single position costs less by its own poll. */
    static final int LEAST = 2;

    private static final Logger LOG = LoggerFactory.getLogger(QueueHeartbeats.class);

    /** Less than the 4 s after which a position that was just polled polls again. */
    private static final long PERIOD_NANOS = 3_000_000_000L;

    /** With the time in flight, less than the 7 s after which a waiter without heartbeat is taken for dead. */
    private static final long EXEMPT_NANOS = 5_000_000_000L;

    private static final long AFTER_LEASE_NANOS = 1_000_000;

    /** The positions of one request, each of which takes some 20 us; Redis serves no other call meanwhile. */
    private static final int MOST = 50;

    private static final int ANY_SLOT = -1;

    private final RequestContext context;
    private final BatchSender sender;
    private final MultiKeyCalls slots;
    private final WakeListener wakeUps;
    private final LocalQueues queues;
    private final AtomicBoolean active = new AtomicBoolean();

    public QueueHeartbeats(
            RequestContext context, BatchSender sender, MultiKeyCalls slots, WakeListener wakeUps, LocalQueues queues) {
        this.context = context;
        this.sender = sender;
        this.slots = slots;
        this.wakeUps = wakeUps;
        this.queues = queues;
    }

    /** Begins to send, if so many queues are enough for it and it is not active. */
    void begin(int waitedFor) {
        if (waitedFor >= LEAST && active.compareAndSet(false, true)) {
            submitLater();
        }
    }

    private void submitLater() {
        sender.submitAfter(this, PERIOD_NANOS);
    }

    /** Sends nothing itself, but submits a batch for every request. */
    @Override
    public @Nullable StoreRequest<Void> prepare(long now) {
        Map<Integer, List<Polled>> bySlot = new LinkedHashMap<>();
        int positions = 0;
        for (LocalQueue queue : polling()) {
            int slot = slots.acrossSlots() ? ANY_SLOT : queue.key().slot();
            bySlot.computeIfAbsent(slot, none -> new ArrayList<>())
                    .add(new Polled(queue, queue.position().number()));
            positions++;
        }
        if (positions < LEAST || context.closed()) {
            // Begins again with the next position.
            active.set(false);
            return null;
        }
        for (List<Polled> all : bySlot.values()) {
            for (int from = 0; from < all.size(); from += MOST) {
                List<Polled> some = all.subList(from, Math.min(from + MOST, all.size()));
                if (some.size() > 1) {
                    sender.submit(new Batch(List.copyOf(some)));
                }
            }
        }
        submitLater();
        return null;
    }

    /** The queues whose first waiter has a position and polls from time to time whether the lock is free. */
    private List<LocalQueue> polling() {
        List<LocalQueue> polling = new ArrayList<>();
        if (wakeUps.reachesWaiters()) {
            for (LocalQueue queue : queues.all()) {
                LocalQueueEntry first = queue.firstToPoll();
                QueuePosition position = queue.position();
                if (first != null && first.pollsForAFreeLock() && position.number() > 0 && !position.standby()) {
                    polling.add(queue);
                }
            }
        }
        return polling;
    }

    @Override
    public void answered(long sentAt, Void answer) {
        throw new IllegalStateException("an answer without a request");
    }

    @Override
    public void failed(Throwable failure) {
        throw new IllegalStateException("the positions could not be gathered", failure);
    }

    /**
     * A queue and its position when the request was made.
     *
     * @param position the number
     */
    private record Polled(LocalQueue queue, long position) {

        /** Has the first waiter poll at once, if it still has the position. */
        void pollNow() {
            LocalQueueEntry first = queue.position().number() == position ? queue.firstToPoll() : null;
            if (first != null) {
                first.pollNow();
            }
        }

        void exempt(long until) {
            queue.position().exempt(position, until);
        }
    }

    /** The positions of one request. */
    private final class Batch implements BatchSender.Request<SendHeartbeats.Answer> {

        private final List<Polled> all;

        Batch(List<Polled> all) {
            this.all = all;
        }

        @Override
        public SendHeartbeats prepare(long now) {
            return new SendHeartbeats(all.stream().map(this::entry).toList(), context.commandNanos());
        }

        private SendHeartbeats.Entry entry(Polled one) {
            LockKey key = one.queue.key();
            return new SendHeartbeats.Entry(key, new Waiter(wakeUps.channelOf(key), one.position));
        }

        @Override
        public void answered(long sentAt, SendHeartbeats.Answer answer) {
            long now = context.now();
            for (int i = 0; i < all.size(); i++) {
                apply(all.get(i), answer.results().get(i), sentAt, now);
            }
        }

        private void apply(Polled one, SendHeartbeats.Result result, long sentAt, long now) {
            long until = sentAt + EXEMPT_NANOS;
            switch (result.code()) {
                case HEAD -> {
                    // The head polls when the holder's lease ends.
                    long leaseEnds = now + result.leftNanos() + AFTER_LEASE_NANOS;
                    one.exempt(leaseEnds - until < 0 ? leaseEnds : until);
                }
                case STAYS -> one.exempt(until);
                case ASKS -> one.pollNow();
                // The next is a standby and polls more often; so does one of which nothing is known.
                case NEXT, FAILED -> {}
            }
        }

        @Override
        public void failed(Throwable failure) {
            if (failure instanceof RedisErrorException error && error.code().equals("CROSSSLOT")) {
                slots.restrictToOneSlot();
            }
            LOG.debug("{} positions poll for themselves: {}", all.size(), RequestFailures.reason(failure));
        }
    }
}
