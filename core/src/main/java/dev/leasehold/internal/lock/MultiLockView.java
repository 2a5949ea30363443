package dev.leasehold.internal.lock;

import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.internal.acquire.AcquireMessages;
import dev.leasehold.internal.acquire.MultiAcquisition;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.lease.LeaseBundle;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.time.WaitLimit;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Several locks as their users see them. Immutable; it has no state of its own. */
public final class MultiLockView implements MultiLock {

    private final LockServices services;
    private final List<LockKey> keys;
    private final LockOptions options;

    private MultiLockView(LockServices services, List<LockKey> keys, LockOptions options) {
        this.services = services;
        this.keys = keys;
        this.options = options;
    }

    /** The locks of these keys, each given once. */
    public static MultiLock of(LockServices services, List<LockKey> keys, LockOptions options) {
        return new MultiLockView(services, List.copyOf(keys), check(keys, options));
    }

    /** Refuses to retain or keep holds: the locks of one call are acquired and released together. */
    private static LockOptions check(List<LockKey> keys, LockOptions options) {
        if (options.retainFor() != null) {
            throw LockMessages.noRetention(
                    "locks " + LockKey.listed(keys), "several locks are acquired by one request");
        }
        if (options.minHold() != null) {
            throw LockMessages.noMinimum(
                    "locks " + LockKey.listed(keys), "they are granted at different times and released by one call");
        }
        return options;
    }

    /**
     * Checks the names and returns them in their order.
     *
     * @throws IllegalArgumentException if there is none, or one is null or given twice
     */
    public static List<String> checkNames(Collection<@Nullable String> names) {
        if (Objects.requireNonNull(names, "names").isEmpty()) {
            throw new IllegalArgumentException("allOf(...) without a name would lock nothing: give one name or more");
        }
        Set<String> seen = new LinkedHashSet<>();
        for (String name : names) {
            if (name == null) {
                throw new IllegalArgumentException("lock name number " + (seen.size() + 1)
                        + " of allOf(...) is null: leave it out, or find out where the name is missing");
            }
            if (!seen.add(name)) {
                throw new IllegalArgumentException("lock name '" + Names.escape(name)
                        + "' is given twice to allOf(...), and the second would wait for the first: give each name once,"
                        + " for example from a Set");
            }
        }
        return List.copyOf(seen);
    }

    @Override
    public List<String> names() {
        return keys.stream().map(LockKey::name).toList();
    }

    @Override
    public MultiLease acquire() throws InterruptedException {
        return required(blocking(WaitLimit.UNLIMITED));
    }

    @Override
    public MultiLease acquire(Duration wait) throws InterruptedException {
        return required(blocking(WaitLimit.of(wait)));
    }

    @Override
    public Optional<MultiLease> tryAcquire() {
        MultiAcquisition acquisition = begin(WaitLimit.ONCE, Thread.currentThread());
        return optional(new Finished(
                services.drivers().runUninterruptibly(before(acquisition)),
                acquisition,
                services.callSites().here()));
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return optional(blocking(WaitLimit.of(wait)));
    }

    @Override
    public CompletionStage<MultiLease> acquireAsync() {
        return async(WaitLimit.UNLIMITED, this::required);
    }

    @Override
    public CompletionStage<MultiLease> acquireAsync(Duration wait) {
        return async(WaitLimit.of(wait), this::required);
    }

    @Override
    public CompletionStage<Optional<MultiLease>> tryAcquireAsync() {
        return async(WaitLimit.ONCE, this::optional);
    }

    @Override
    public CompletionStage<Optional<MultiLease>> tryAcquireAsync(Duration wait) {
        return async(WaitLimit.of(wait), this::optional);
    }

    @Override
    public MultiLock with(LockOptions other) {
        services.options().check(other);
        return new MultiLockView(services, keys, check(keys, other));
    }

    @Override
    public String toString() {
        return "locks " + LockKey.listed(keys);
    }

    /** The outcome of an acquisition, and the acquisition itself for error messages. */
    private record Finished(MultiAcquisition.Outcome done, MultiAcquisition acquisition, String acquiredAt) {}

    private MultiAcquisition begin(WaitLimit limit, @Nullable Thread thread) {
        services.context().ensureOpen();
        if (thread != null) {
            services.drivers().refuseOnEventLoop(keys.get(0));
            keys.forEach(key -> ThreadReentry.refuseToWaitForItself(services, key, null, options, limit));
        }
        return services.acquisitions().ofAll(keys, options, thread, limit);
    }

    /** Returns the acquisition, preceded by the release of holds that this client retains of its locks. */
    private Operation<MultiAcquisition.Outcome> before(MultiAcquisition acquisition) {
        Operation<MultiAcquisition.Outcome> all = acquisition;
        for (LockKey key : keys) {
            all = services.retained().before(key, options, acquisition.limit(), all);
        }
        return all;
    }

    private Finished blocking(WaitLimit limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before acquiring locks " + LockKey.listed(keys));
        }
        MultiAcquisition acquisition = begin(limit, Thread.currentThread());
        try {
            MultiAcquisition.Outcome done = services.drivers().run(before(acquisition));
            return new Finished(done, acquisition, services.callSites().here());
        } catch (InterruptedException e) {
            throw new InterruptedException(
                    "interrupted while acquiring locks " + LockKey.listed(keys) + "; whatever was taken is given back");
        }
    }

    private <T> CompletionStage<T> async(WaitLimit limit, Function<Finished, T> outcome) {
        if (services.context().closed()) {
            return CompletableFuture.failedFuture(Lifecycle.closedException());
        }
        MultiAcquisition acquisition = begin(limit, null);
        String acquiredAt = services.callSites().here();
        return services.drivers()
                .promise(before(acquisition), done -> outcome.apply(new Finished(done, acquisition, acquiredAt)));
    }

    private MultiLease required(Finished finished) {
        LockKey busy = finished.done().busy();
        if (busy != null) {
            MultiAcquisition acquisition = finished.acquisition();
            throw AcquireMessages.busyAmong(keys, busy, acquisition.waited(), acquisition.unasked());
        }
        return optional(finished).orElseThrow();
    }

    private Optional<MultiLease> optional(Finished finished) {
        RuntimeException failure = finished.done().failure();
        if (failure != null) {
            throw failure;
        }
        services.leases().afterGrant();
        LeaseBundle bundle = finished.done().acquired();
        return bundle == null
                ? Optional.empty()
                : Optional.of(services.handles().of(bundle, finished.acquiredAt()));
    }
}
