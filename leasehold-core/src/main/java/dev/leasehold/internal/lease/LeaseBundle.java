package dev.leasehold.internal.lease;

import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.LockKey;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one acquisition of several locks, which are one to their holder: held while all are, lost with the first.
 * What is left after a loss stays held until the holder gives it back, because he may still be at work under it.
 */
public final class LeaseBundle {

    public final List<LeaseRecord> records;
    private final LeaseEvents events;
    private final LeaseValidity validity;
    private final LeaseTermination termination;
    /** Whom to interrupt on loss. */
    private final @Nullable Thread thread;

    private final AtomicBoolean lost = new AtomicBoolean();
    private final LossNotice notice = new LossNotice();

    public LeaseBundle(
            LeaseEvents events,
            LeaseValidity validity,
            LeaseTermination termination,
            List<LeaseRecord> records,
            @Nullable Thread thread) {
        this.events = events;
        this.validity = validity;
        this.termination = termination;
        this.records = records;
        this.thread = thread;
        for (LeaseRecord record : records) {
            LossEvent already = record.notice().add(this::lost);
            if (already != null) {
                lost(already);
            }
        }
    }

    /** The first of its locks is lost: told once. */
    private void lost(LossEvent loss) {
        List<Consumer<LossEvent>> those = notice.lose(() -> lost.compareAndSet(false, true), loss);
        if (those == null) {
            return;
        }
        events.notifyEach(those, loss);
        Thread owner = thread;
        if (owner != null) {
            events.run(() -> notice.interrupt(owner));
        }
    }

    /** Its listeners are told elsewhere; who asks need not wait for that. */
    private void look() {
        for (LeaseRecord record : records) {
            LossEvent loss = record.notice().event();
            if (loss != null) {
                lost(loss);
                return;
            }
        }
    }

    public void onLost(Consumer<LossEvent> listener) {
        look();
        LossEvent already = notice.add(listener);
        if (already != null) {
            events.notifyEach(List.of(listener), already);
        }
    }

    public boolean valid() {
        boolean all = true;
        for (LeaseRecord record : records) {
            all &= validity.valid(record);
        }
        if (!all) {
            look();
        }
        return all && !lost.get();
    }

    /** The loss, if it is lost. */
    @Nullable
    public LossEvent loss() {
        look();
        return notice.event();
    }

    /** Its holder releases it: from here on no interrupt. */
    public void releaseCalled() {
        noInterrupt();
    }

    private void noInterrupt() {
        boolean unused = notice.release(() -> true);
    }

    /** All are given back: the loss, for the first one who releases. */
    @Nullable
    public LossEvent released() {
        look();
        return notice.tellOnce();
    }

    /** Nobody wants it any more. */
    public void giveBack() {
        noInterrupt();
        for (LeaseRecord record : records) {
            if (record.state() != LeaseState.LOST) {
                termination.giveBack(record);
            }
        }
    }

    public List<LockKey> keys() {
        return records.stream().map(record -> record.key()).toList();
    }

    /** For people: that of the lease that is the furthest in its life. */
    public LeaseState state() {
        return lost.get()
                ? LeaseState.LOST
                : records.stream()
                        .map(LeaseRecord::state)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }
}
