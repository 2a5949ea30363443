package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.lease.LeaseMessages;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.renew.RenewOperation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its holder sees it: a view of a record. The record does not refer back, so that a leak can be detected. A client may have
 * a hundred thousand, so what they share is with their creator.
 */
public final class LeaseHandle implements Lease {

    private final LeaseHandles creator;
    private final LeaseRecord record;

    LeaseHandle(LeaseHandles creator, LeaseRecord record) {
        this.creator = creator;
        this.record = record;
    }

    /** The record, if this creator made the handle; else null. */
    @Nullable
    LeaseRecord recordOf(LeaseHandles by) {
        return creator == by ? record : null;
    }

    /** The id under which Redis knows the hold. */
    public AcquisitionId hold() {
        return record.hold();
    }

    @Override
    public String name() {
        return record.key().name();
    }

    @Override
    public String owner() {
        return record.owner().name();
    }

    @Override
    public long fencingToken() {
        if (!record.key().kind().hasTokens()) {
            throw LockMessages.noToken(record.key());
        }
        return record.token();
    }

    @Override
    public boolean isHeld() {
        return creator.validity.valid(record);
    }

    @Override
    public void ensureHeld() {
        creator.extensions.ensureHeld(record);
    }

    @Override
    public Duration remaining() {
        return creator.validity.remaining(record);
    }

    @Override
    public boolean extend(Duration time) {
        creator.drivers.refuseOnEventLoop(record.key());
        RenewOperation extension = creator.extensions.extension(record, time);
        return extension != null && creator.drivers.runUninterruptibly(extension);
    }

    @Override
    public CompletionStage<Boolean> extendAsync(Duration time) {
        RenewOperation extension = creator.extensions.extension(record, time);
        return extension == null ? CompletableFuture.completedFuture(false) : creator.drivers.start(extension);
    }

    @Override
    public void onLost(Consumer<LossEvent> listener) {
        LossEvent already = record.notice().add(Objects.requireNonNull(listener, "listener"));
        if (already != null) {
            creator.events.notifyEach(List.of(listener), already);
        }
    }

    @Override
    public void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener) {
        ReleaseRequestedEvent already = record.notice().addForRequest(Objects.requireNonNull(listener, "listener"));
        if (already != null) {
            creator.events.notifyEach(List.of(listener), already);
        }
    }

    @Override
    public String export() {
        return creator.exports.export(record);
    }

    @Override
    public void release() {
        refuseIfTied();
        if (creator.releases.leave(record)) {
            return;
        }
        Optional<LossEvent> loss = creator.drivers.release(creator.releases.of(record));
        if (loss.isPresent()) {
            throw LeaseMessages.lost(record.key(), record.owner(), loss.get());
        }
    }

    @Override
    public CompletionStage<@Nullable Void> releaseAsync() {
        refuseIfTied();
        if (creator.releases.leave(record)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<@Nullable Void> promise = new CompletableFuture<>();
        creator.drivers.start(creator.releases.of(record)).whenComplete((loss, bug) -> {
            if (bug != null) {
                promise.completeExceptionally(bug);
            } else if (loss.isPresent()) {
                promise.completeExceptionally(LeaseMessages.lost(record.key(), record.owner(), loss.get()));
            } else {
                promise.complete(null);
            }
        });
        return promise;
    }

    @Override
    public void close() {
        refuseIfTied();
        if (!creator.exports.letStand(record)) {
            release();
        }
    }

    /** The thread counts its holds, and only its last unlock ends them. */
    private void refuseIfTied() {
        if (record.tiedToThread()) {
            throw LockMessages.endsWithUnlock(record.key());
        }
    }

    @Override
    public String toString() {
        return "Lease[" + record.key().inWords() + ", owner " + record.owner().shown()
                + LeaseMessages.token(record.token()) + ", " + record.state() + "]";
    }
}
