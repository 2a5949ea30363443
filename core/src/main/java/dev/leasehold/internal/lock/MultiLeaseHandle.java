package dev.leasehold.internal.lock;

import dev.leasehold.MultiLease;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseBundle;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseMessages;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.release.ReleaseOperation;
import dev.leasehold.internal.release.Releases;
import dev.leasehold.internal.renew.LeaseExtensions;
import dev.leasehold.internal.renew.RenewOperation;
import dev.leasehold.internal.request.Drivers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A lease of several locks as its holder sees it: a view of a bundle, which does not refer back. */
final class MultiLeaseHandle implements MultiLease {

    private final Drivers drivers;
    private final Releases releases;
    private final LeaseEvents events;
    private final LeaseValidity validity;
    private final LeaseExtensions extensions;
    private final LeaseBundle bundle;

    MultiLeaseHandle(
            Drivers drivers,
            Releases releases,
            LeaseEvents events,
            LeaseValidity validity,
            LeaseExtensions extensions,
            LeaseBundle bundle) {
        this.drivers = drivers;
        this.releases = releases;
        this.events = events;
        this.validity = validity;
        this.extensions = extensions;
        this.bundle = bundle;
    }

    @Override
    public List<String> names() {
        return bundle.keys().stream().map(LockKey::name).toList();
    }

    @Override
    public String name() {
        return String.join(", ", names());
    }

    @Override
    public String owner() {
        return bundle.records.get(0).owner().name();
    }

    @Override
    public long fencingToken(String name) {
        for (LeaseRecord record : bundle.records) {
            if (record.key().name().equals(name)) {
                return record.token();
            }
        }
        throw LockMessages.noSuchName(name, bundle.keys());
    }

    @Override
    public long fencingToken() {
        throw LockMessages.tokenOfOne(bundle.keys());
    }

    @Override
    public boolean isHeld() {
        return bundle.valid();
    }

    @Override
    public void ensureHeld() {
        LossEvent before = bundle.loss();
        if (before == null) {
            bundle.records.forEach(record -> extensions.ensureHeld(record));
        } else {
            throw LeaseMessages.lostAmong(bundle.keys(), before);
        }
    }

    @Override
    public Duration remaining() {
        if (!bundle.valid()) {
            return Duration.ZERO;
        }
        Duration least = validity.remaining(bundle.records.get(0));
        for (LeaseRecord record : bundle.records) {
            Duration one = validity.remaining(record);
            least = one.compareTo(least) < 0 ? one : least;
        }
        return least;
    }

    @Override
    public boolean extend(Duration time) {
        drivers.refuseOnEventLoop(bundle.records.get(0).key());
        List<RenewOperation> operations = extensions(time);
        return operations != null && !drivers.runAll(operations).contains(false) && bundle.valid();
    }

    @Override
    public CompletionStage<Boolean> extendAsync(Duration time) {
        List<RenewOperation> operations = extensions(time);
        return operations == null
                ? CompletableFuture.completedFuture(false)
                : drivers.startAll(operations, held -> !held.contains(false) && bundle.valid());
    }

    /** The extensions, all checked before the first is sent; null if the lease is lost. */
    private @Nullable List<RenewOperation> extensions(Duration time) {
        List<RenewOperation> operations = new ArrayList<>();
        for (LeaseRecord record : bundle.records) {
            RenewOperation extension = extensions.extension(record, time);
            if (extension != null) {
                operations.add(extension);
            }
        }
        return operations.size() < bundle.records.size() || bundle.loss() != null ? null : operations;
    }

    @Override
    public void onLost(Consumer<LossEvent> listener) {
        bundle.onLost(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        for (LeaseRecord record : bundle.records) {
            ReleaseRequestedEvent already = record.notice().addForRequest(listener);
            if (already != null) {
                events.notifyEach(List.of(listener), already);
            }
        }
    }

    @Override
    public String export() {
        throw LockMessages.notExportable(bundle.keys());
    }

    @Override
    public void release() {
        drivers.releaseAll(releases());
        Void ignored = ended();
    }

    @Override
    public CompletionStage<@Nullable Void> releaseAsync() {
        return drivers.startAll(releases(), outcomes -> ended());
    }

    private List<ReleaseOperation> releases() {
        bundle.releaseCalled();
        return bundle.records.stream().map(releases::of).toList();
    }

    private @Nullable Void ended() {
        LossEvent loss = bundle.released();
        if (loss != null) {
            throw LeaseMessages.lostAmong(bundle.keys(), loss);
        }
        return null;
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "Lease[locks "
                + bundle.records.stream()
                        .map(record -> record.key().shown() + LeaseMessages.token(record.token()))
                        .collect(Collectors.joining("; "))
                + "; " + bundle.state() + "]";
    }
}
