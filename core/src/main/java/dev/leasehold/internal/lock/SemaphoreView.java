package dev.leasehold.internal.lock;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PermitKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A semaphore as its users see it. Immutable; it has no state of its own. */
public final class SemaphoreView implements DistributedSemaphore {

    private static final int MOST_PERMITS = 1_000_000;

    private final LockServices services;
    private final PermitKey key;
    private final LockOptions options;
    private final boolean fair;
    private final DistributedLock lock;

    private SemaphoreView(LockServices services, PermitKey key, LockOptions options, boolean fair) {
        this.services = services;
        this.key = key;
        this.options = options;
        this.fair = fair;
        this.lock = fair ? LockView.fair(services, key, options) : LockView.of(services, key, options);
    }

    /** Creates the view; nothing is sent. */
    public static DistributedSemaphore of(LockServices services, LockKey key, int permits, LockOptions options) {
        return new SemaphoreView(services, PermitKey.of(key, check(key, permits), 1), options, false);
    }

    private static int check(LockKey key, int permits) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("semaphore " + key.shown() + " cannot have " + permits
                    + " permits. Give a number from 1 to 1,000,000");
        }
        return permits;
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public int permits() {
        return key.total();
    }

    @Override
    public Lease acquire() throws InterruptedException {
        return lock.acquire();
    }

    @Override
    public Lease acquire(Duration wait) throws InterruptedException {
        return lock.acquire(wait);
    }

    @Override
    public Optional<Lease> tryAcquire() {
        return lock.tryAcquire();
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return lock.tryAcquire(wait);
    }

    @Override
    public CompletionStage<Lease> acquireAsync() {
        return lock.acquireAsync();
    }

    @Override
    public CompletionStage<Lease> acquireAsync(Duration wait) {
        return lock.acquireAsync(wait);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync() {
        return lock.tryAcquireAsync();
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return lock.tryAcquireAsync(wait);
    }

    @Override
    public DistributedSemaphore atOnce(int permits) {
        if (permits < 1 || permits > key.total()) {
            throw new IllegalArgumentException(key.inWords() + " has " + key.total() + " permits, of which " + permits
                    + " cannot be taken at once. Give a number from 1 to " + key.total());
        }
        return new SemaphoreView(services, PermitKey.of(key, key.total(), permits), options, fair);
    }

    @Override
    public DistributedSemaphore fair() {
        return new SemaphoreView(services, key, options, true);
    }

    @Override
    public DistributedSemaphore with(LockOptions other) {
        services.options().check(other);
        return new SemaphoreView(services, key, other, fair);
    }

    @Override
    public DistributedLock asLock() {
        return lock;
    }

    @Override
    public int availablePermits() {
        services.context().ensureOpen();
        return services.inspection().availablePermits(key);
    }

    @Override
    public int changePermits(int permits) {
        services.context().ensureOpen();
        return services.drivers().runUninterruptibly(services.inspection().changePermits(key, check(key, permits)));
    }

    @Override
    public Optional<LockInfo> inspect() {
        return lock.inspect();
    }

    @Override
    public String toString() {
        String many = key.wanted() == 1 ? "" : key.wanted() + " permits at once of ";
        return many + (fair ? "fair " : "") + key.inWords() + " with " + key.total() + " permits";
    }
}
