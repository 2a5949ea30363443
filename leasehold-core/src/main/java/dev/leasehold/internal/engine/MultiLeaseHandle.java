package dev.leasehold.internal.engine;

import dev.leasehold.MultiLease;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.internal.key.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the caller holds in hand of several locks: a view of a bundle, which does not refer back. */
final class MultiLeaseHandle implements MultiLease {

    private final Engine engine;
    private final LeaseBundle bundle;

    private MultiLeaseHandle(Engine engine, LeaseBundle bundle) {
        this.engine = engine;
        this.bundle = bundle;
    }

    static MultiLeaseHandle of(Engine engine, LeaseBundle bundle, String takenAt) {
        MultiLeaseHandle handle = new MultiLeaseHandle(engine, bundle);
        LeaseRecord.Reachability reach = new LeakDetector(handle, takenAt);
        bundle.records.forEach(record -> record.reachability = reach);
        return handle;
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
            if (record.key.name().equals(name)) {
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
            bundle.records.forEach(record -> LeaseChecks.ensure(engine, record));
        } else {
            throw LockMessages.lostAmong(bundle.keys(), before);
        }
    }

    @Override
    public Duration remaining() {
        if (!bundle.valid()) {
            return Duration.ZERO;
        }
        Duration least = LeaseChecks.remaining(engine, bundle.records.get(0));
        for (LeaseRecord record : bundle.records) {
            Duration one = LeaseChecks.remaining(engine, record);
            least = one.compareTo(least) < 0 ? one : least;
        }
        return least;
    }

    @Override
    public boolean extend(Duration time) {
        List<RenewOperation> extensions = extensions(time);
        return extensions != null && !ParallelDriver.run(engine, extensions).contains(false) && bundle.valid();
    }

    @Override
    public CompletionStage<Boolean> extendAsync(Duration time) {
        List<RenewOperation> extensions = extensions(time);
        return extensions == null
                ? CompletableFuture.completedFuture(false)
                : ParallelDriver.start(engine, extensions, held -> !held.contains(false) && bundle.valid());
    }

    /** All of them are checked before one is sent; null if the lease is lost. */
    private @Nullable List<RenewOperation> extensions(Duration time) {
        List<RenewOperation> extensions = new ArrayList<>();
        for (LeaseRecord record : bundle.records) {
            RenewOperation extension = LeaseChecks.extension(engine, record, time);
            if (extension != null) {
                extensions.add(extension);
            }
        }
        return extensions.size() < bundle.records.size() || bundle.loss() != null ? null : extensions;
    }

    @Override
    public void onLost(Consumer<LossEvent> listener) {
        bundle.onLost(listener);
    }

    @Override
    public void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener) {
        for (LeaseRecord record : bundle.records) {
            ReleaseRequestedEvent already = record.notice().addForRequest(listener);
            if (already != null) {
                engine.events.tellEach(List.of(listener), already);
            }
        }
    }

    @Override
    public String export() {
        throw LockMessages.notExportable(bundle.keys());
    }

    @Override
    public void release() {
        List<?> unused = ParallelDriver.run(engine, bundle.release());
        Void ignored = ended();
    }

    @Override
    public CompletionStage<@Nullable Void> releaseAsync() {
        return ParallelDriver.start(engine, bundle.release(), outcomes -> ended());
    }

    private @Nullable Void ended() {
        LossEvent loss = bundle.released();
        if (loss != null) {
            throw LockMessages.lostAmong(bundle.keys(), loss);
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
                        .map(record -> record.key.shown() + LockMessages.token(record.token()))
                        .collect(Collectors.joining("; "))
                + "; " + bundle.state() + "]";
    }
}
