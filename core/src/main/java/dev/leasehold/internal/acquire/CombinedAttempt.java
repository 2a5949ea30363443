package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.renew.RenewalBatch;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHolds;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several acquisitions that are tried in one request, without waiting. Each receives its part of the answer as if it had been sent
 * alone, so that its retries, its compensation and its judgement of the answer are acquisitions of any acquisition.
 */
final class CombinedAttempt {

    /** The most locks in one call: Redis serves no other client meanwhile. */
    static final int MOST = RenewalBatch.MAX_WEIGHT;

    private final RequestContext context;
    private final MultiKeyCalls slots;
    private final List<Acquisition> acquisitions;
    /** Whether Redis acquires either all locks or none. */
    private final boolean whole;

    private boolean failed;
    private boolean refused;
    private boolean over;

    /** Combines acquisitions that try once. */
    CombinedAttempt(RequestContext context, MultiKeyCalls slots, List<Acquisition> acquisitions, boolean whole) {
        this.context = context;
        this.slots = slots;
        this.acquisitions = acquisitions;
        this.whole = whole;
        acquisitions.forEach(Acquisition::combined);
    }

    /** The first of these keys that fit into one call: of one slot, where calls must not span slots. */
    static List<LockKey> keysOfOneCall(List<LockKey> keys, MultiKeyCalls slots) {
        int slot = keys.get(0).slot();
        boolean any = slots.acrossSlots();
        return keys.stream()
                .limit(MOST)
                .takeWhile(key -> any || key.slot() == slot)
                .toList();
    }

    Step next() {
        if (over) {
            return Step.OVER;
        }
        long now = context.now();
        long due = now;
        for (Acquisition one : acquisitions) {
            due = failed && one.dueAt() - due > 0 ? one.dueAt() : due;
        }
        if (due - now > 0 && !context.closed()) {
            return new Step.Pause(due);
        }
        List<AcquireHold> holds = new ArrayList<>();
        long timeout = Long.MAX_VALUE;
        for (Acquisition one : acquisitions) {
            if (!(one.next() instanceof Step.Send<?> send)) {
                // Its time is over, and so is that of the others.
                over = true;
                return Step.OVER;
            }
            // A combined acquisition sends no other request.
            AcquireHold hold = (AcquireHold) send.request();
            holds.add(hold);
            timeout = Math.min(timeout, hold.timeoutNanos());
        }
        return new Step.Send<>(new AcquireHolds(whole, holds, timeout), now, this::answered);
    }

    private void answered(AcquireHolds.Answer answer) {
        over = true;
        for (int n = 0; n < acquisitions.size(); n++) {
            tell(acquisitions.get(n), answer.results().get(n));
        }
    }

    private void tell(Acquisition one, EntryResult<AcquireHold.Answer> result) {
        AcquireHold.Answer answer = result.answer();
        RuntimeException failure = result.failure();
        if (answer != null && (whole || answer.code() != AcquireHold.Code.BUSY)) {
            one.answered(answer);
        } else if (failure != null) {
            one.failed(failure);
        } else {
            // This lock will be waited for, so the busy answer is not reported.
            one.untried();
        }
    }

    void failed(RuntimeException failure) {
        failed = true;
        // Redis refuses the call as a whole, perhaps only because it has several keys: each is tried alone.
        if (failure instanceof RedisErrorException error) {
            refused = true;
            over = true;
            if (error.code().equals("CROSSSLOT")) {
                slots.restrictToOneSlot();
            }
        }
        for (Acquisition one : acquisitions) {
            one.failed(failure);
        }
    }

    /**
     * The outcome.
     *
     * @param taken the leases of the first locks
     * @param all whether all locks were acquired
     * @param refused whether Redis refused the call as a whole
     * @param judged the first acquisition that ended without a lease; null if none did
     */
    record Result(
            List<LeaseRecord> taken,
            boolean all,
            boolean refused,
            @Nullable Acquisition judged) {}

    /** Returns the outcome once it is over; leases that will not be used are given back. */
    Result result() {
        List<LeaseRecord> taken = new ArrayList<>();
        Acquisition judged = null;
        boolean all = true;
        for (Acquisition one : acquisitions) {
            LeaseRecord record = one.over() ? one.outcome().acquired() : null;
            if (record != null && all) {
                taken.add(record);
                continue;
            }
            all = false;
            if (record == null && one.over() && judged == null) {
                judged = one;
            }
            one.abandon(null);
        }
        return new Result(taken, all, refused, judged);
    }

    void abandon(@Nullable RuntimeException reason) {
        acquisitions.forEach(one -> one.abandon(reason));
    }
}
