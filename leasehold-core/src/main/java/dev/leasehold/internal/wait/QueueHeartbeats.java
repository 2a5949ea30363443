package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LockMessages;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.script.LookManyScript;
import dev.leasehold.internal.script.Waiter;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While this client waits for several locks, one call tells Redis that all these places are alive, and spares each its own
 * look. Whoever is not spared looks as if there were no such call: so nothing depends on it.
 */
final class QueueHeartbeats implements BatchSender.Request {

    /** A single place costs less by its own look. */
    static final int LEAST = 2;

    private static final Logger LOG = LoggerFactory.getLogger(QueueHeartbeats.class);

    /** Before the own look of a place that was just called comes, which is after 4 s. */
    private static final long PERIOD_NANOS = 3_000_000_000L;

    /** With the time that the call was under way less than the 7 s of the dead. */
    private static final long SPARED_NANOS = 5_000_000_000L;

    private static final long AFTER_LEASE_NANOS = 1_000_000;

    /** How many places one call may have: Redis serves nobody else meanwhile, and one takes it some 20 us. */
    private static final int MOST = 50;

    private static final int ANY_SLOT = -1;

    private final RequestContext context;
    private final BatchSender sender;
    private final MultiKeyCalls slots;
    private final WakeListener wakeUps;
    private final Queues queues;
    private final AtomicBoolean under = new AtomicBoolean();

    /** The local queues whose positions need heartbeats. */
    interface Queues {

        /** Queues whose first waiter has a position and polls from time to time whether the lock is free. */
        List<LocalQueue> polling();

        /** Has the waiter at this position of a queue, if it is still its first, poll at once. */
        void poll(LocalQueue queue, long position);
    }

    QueueHeartbeats(
            RequestContext context, BatchSender sender, MultiKeyCalls slots, WakeListener wakeUps, Queues queues) {
        this.context = context;
        this.sender = sender;
        this.slots = slots;
        this.wakeUps = wakeUps;
        this.queues = queues;
    }

    /** So many locks are waited for: begins, unless it is under way. */
    void begin(int lines) {
        if (lines >= LEAST && under.compareAndSet(false, true)) {
            next();
        }
    }

    private void next() {
        sender.submitAfter(this, PERIOD_NANOS);
    }

    /** Sends nothing itself, but submits a batch for every call. */
    @Override
    public @Nullable ScriptCall prepare(long now) {
        Map<Integer, List<Called>> bySlot = new LinkedHashMap<>();
        int places = 0;
        for (LocalQueue line : queues.polling()) {
            int slot = slots.acrossSlots() ? ANY_SLOT : line.key.slot();
            bySlot.computeIfAbsent(slot, none -> new ArrayList<>()).add(new Called(line, line.place));
            places++;
        }
        if (places < LEAST || context.closed()) {
            // Begins anew with the next place that is told.
            under.set(false);
            return null;
        }
        for (List<Called> those : bySlot.values()) {
            for (int from = 0; from < those.size(); from += MOST) {
                List<Called> some = those.subList(from, Math.min(from + MOST, those.size()));
                if (some.size() > 1) {
                    sender.submit(new Batch(List.copyOf(some)));
                }
            }
        }
        next();
        return null;
    }

    @Override
    public void answered(long sentAt, List<String> reply) {
        throw new IllegalStateException("nothing was asked");
    }

    @Override
    public void failed(Throwable failure) {
        throw new IllegalStateException("the places could not be gathered", failure);
    }

    /** A line, and the place that it had. */
    private record Called(LocalQueue line, long place) {}

    /** The places of one call. */
    private final class Batch implements BatchSender.Request {

        private final List<Called> those;

        Batch(List<Called> those) {
            this.those = those;
        }

        @Override
        public ScriptCall prepare(long now) {
            return context.scripts()
                    .lookMany()
                    .call(those.stream().map(this::entry).toList(), context.commandNanos());
        }

        private LookManyScript.Entry entry(Called one) {
            LockKey key = one.line.key;
            return new LookManyScript.Entry(key, new Waiter(wakeUps.channelOf(key), one.place));
        }

        @Override
        public void answered(long sentAt, List<String> reply) {
            LookManyScript.Answer answer = LookManyScript.parse(reply, those.size());
            context.seen(answer.now(), sentAt);
            long now = context.now();
            for (int i = 0; i < those.size(); i++) {
                told(those.get(i), answer.of(i), sentAt, now);
            }
        }

        private void told(Called one, LookManyScript.Result result, long sentAt, long now) {
            long spared = sentAt + SPARED_NANOS;
            switch (result.look()) {
                case HEAD -> {
                    // The first looks when the holder's lease ends.
                    long leaseEnds = now + result.leftNanos() + AFTER_LEASE_NANOS;
                    one.line.spare(one.place, leaseEnds - spared < 0 ? leaseEnds : spared);
                }
                case STAYS -> one.line.spare(one.place, spared);
                case ASKS -> queues.poll(one.line, one.place);
                // The next is a stand-by, and looks more often; so does whoever it may be of whom nothing is known.
                case NEXT, FAILED -> {}
            }
        }

        @Override
        public void failed(Throwable failure) {
            if (failure instanceof RedisErrorException error && error.code().equals("CROSSSLOT")) {
                slots.keepToSlots();
            }
            LOG.debug("{} places look for themselves: {}", those.size(), LockMessages.reason(failure));
        }
    }
}
