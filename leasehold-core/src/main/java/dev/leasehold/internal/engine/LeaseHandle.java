package dev.leasehold.internal.engine;

import dev.leasehold.Lease;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.internal.key.AcquisitionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the caller holds in hand: a view of a record. The record does not refer back, so that a leak is noticed. */
final class LeaseHandle implements Lease {

    private final Engine engine;
    private final LeaseRecord record;

    private LeaseHandle(Engine engine, LeaseRecord record) {
        this.engine = engine;
        this.record = record;
    }

    static LeaseHandle of(Engine engine, LeaseRecord record, String takenAt) {
        LeaseHandle handle = new LeaseHandle(engine, record);
        record.reachability = new LeakDetector(handle, takenAt);
        return handle;
    }

    /** A view of what a thread holds: whether that is still wanted is told by the thread, not by this view. */
    static LeaseHandle ofThread(Engine engine, LeaseRecord record) {
        return new LeaseHandle(engine, record);
    }

    /** The record of a lease of this client; null if it is of another. */
    static @Nullable LeaseRecord recordOf(Engine engine, Lease lease) {
        return lease instanceof LeaseHandle handle && handle.engine == engine ? handle.record : null;
    }

    /** The id under which Redis knows the hold. */
    AcquisitionId hold() {
        return record.hold();
    }

    /** Nobody is warned that it is held for long. */
    void isMeantToLast() {
        record.warnedLong = true;
    }

    @Override
    public String name() {
        return record.key.name();
    }

    @Override
    public String owner() {
        return record.owner().name();
    }

    @Override
    public long fencingToken() {
        if (!record.key.kind().hasTokens()) {
            throw LockMessages.noToken(record.key);
        }
        return record.token();
    }

    @Override
    public boolean isHeld() {
        return LeaseChecks.valid(engine, record);
    }

    @Override
    public void ensureHeld() {
        LeaseChecks.ensure(engine, record);
    }

    @Override
    public Duration remaining() {
        return LeaseChecks.remaining(engine, record);
    }

    @Override
    public boolean extend(Duration time) {
        RenewOperation extension = LeaseChecks.extension(engine, record, time);
        return extension != null && new BlockingDriver<>(engine, extension).runUninterruptibly();
    }

    @Override
    public CompletionStage<Boolean> extendAsync(Duration time) {
        RenewOperation extension = LeaseChecks.extension(engine, record, time);
        return extension == null
                ? CompletableFuture.completedFuture(false)
                : new AsyncDriver<>(engine, extension).start();
    }

    @Override
    public void onLost(Consumer<LossEvent> listener) {
        LossEvent already = record.notice().add(listener);
        if (already != null) {
            engine.events.tellLoss(List.of(listener), already);
        }
    }

    @Override
    public void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener) {
        ReleaseRequestedEvent already = record.notice().addForRequest(listener);
        if (already != null) {
            engine.events.tellEach(List.of(listener), already);
        }
    }

    @Override
    public String export() {
        return LeaseExports.export(engine, record);
    }

    @Override
    public void release() {
        Optional<LossEvent> loss =
                new BlockingDriver<>(engine, new ReleaseOperation(engine, record)).runUninterruptibly();
        if (loss.isPresent()) {
            throw LockMessages.lost(record.key, record.owner(), loss.get());
        }
    }

    @Override
    public CompletionStage<@Nullable Void> releaseAsync() {
        CompletableFuture<@Nullable Void> promise = new CompletableFuture<>();
        new AsyncDriver<>(engine, new ReleaseOperation(engine, record)).start().whenComplete((loss, bug) -> {
            if (bug != null) {
                promise.completeExceptionally(bug);
            } else if (loss.isPresent()) {
                promise.completeExceptionally(LockMessages.lost(record.key, record.owner(), loss.get()));
            } else {
                promise.complete(null);
            }
        });
        return promise;
    }

    @Override
    public void close() {
        if (!LeaseExports.letStand(engine, record)) {
            release();
        }
    }

    @Override
    public String toString() {
        return "Lease[lock " + record.key.shown() + ", owner " + record.owner().shown()
                + LockMessages.token(record.token()) + ", " + record.state() + "]";
    }
}
