package dev.leasehold.internal.lease;

import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.LockKey;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one acquisition of several locks, which their holder sees as one lease: held while all are held, lost with the
 * first loss. After a loss the other leases stay held until the holder releases them, because its work may still rely on them.
 */
public final class LeaseBundle {

    public final List<LeaseRecord> records;
    private final LeaseEvents events;
    private final LeaseValidity validity;
    private final LeaseTermination termination;
    /** The thread to interrupt on loss. */
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
            LossEvent earlier = record.notice().add(this::lost);
            if (earlier != null) {
                lost(earlier);
            }
        }
    }

    /** Reports the first loss of one of the locks; has no effect after that. */
    private void lost(LossEvent loss) {
        List<Consumer<LossEvent>> listeners = notice.lose(() -> lost.compareAndSet(false, true), loss);
        if (listeners == null) {
            return;
        }
        events.notifyEach(listeners, loss);
        Thread owner = thread;
        if (owner != null) {
            events.run(() -> notice.interrupt(owner));
        }
    }

    /** Checks for a loss whose listeners have not run yet: the caller need not wait for the executor. */
    private void checkLoss() {
        for (LeaseRecord record : records) {
            LossEvent loss = record.notice().event();
            if (loss != null) {
                lost(loss);
                return;
            }
        }
    }

    public void onLost(Consumer<LossEvent> listener) {
        checkLoss();
        LossEvent earlier = notice.add(listener);
        if (earlier != null) {
            events.notifyEach(List.of(listener), earlier);
        }
    }

    public boolean valid() {
        boolean all = true;
        for (LeaseRecord record : records) {
            all &= validity.valid(record);
        }
        if (!all) {
            checkLoss();
        }
        return all && !lost.get();
    }

    /** The loss; null if the bundle is not lost. */
    @Nullable
    public LossEvent loss() {
        checkLoss();
        return notice.event();
    }

    /** Records that the holder releases the bundle: from here on its thread is not interrupted. */
    public void releaseCalled() {
        boolean unused = notice.release(() -> true);
    }

    /** Records that all leases are released; returns the loss to the first release, null to later ones or without a loss. */
    @Nullable
    public LossEvent released() {
        checkLoss();
        return notice.takeForRelease();
    }

    /** Releases the leases in the background, because they have no holder. */
    public void giveBack() {
        releaseCalled();
        for (LeaseRecord record : records) {
            if (record.state() != LeaseState.LOST) {
                termination.giveBack(record);
            }
        }
    }

    public List<LockKey> keys() {
        return records.stream().map(record -> record.key()).toList();
    }

    /** The state for messages: that of the lease that is furthest in its life cycle. */
    public LeaseState state() {
        return lost.get()
                ? LeaseState.LOST
                : records.stream()
                        .map(LeaseRecord::state)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }
}
