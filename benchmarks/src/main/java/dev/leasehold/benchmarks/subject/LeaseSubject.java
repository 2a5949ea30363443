package dev.leasehold.benchmarks.subject;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.benchmarks.IncorrectException;
import org.jspecify.annotations.Nullable;

/** Leasehold with all defaults, by leases: {@code acquire().close()}. */
public final class LeaseSubject implements Subject {

    /** What it is called in the tables. */
    public static final String NAME = "Leasehold acquire/close";

    /** What its fair lock is called in the tables. */
    public static final String FAIR = "Leasehold fair lock";

    /** What its read-write lock is called in the tables. */
    public static final String READ_WRITE = "Leasehold read-write lock";

    private final Leasehold leasehold;
    private final String title;

    /** Connects. */
    public LeaseSubject(String uri) {
        this(Leasehold.connect(uri), NAME);
    }

    private LeaseSubject(Leasehold leasehold, String title) {
        this.leasehold = leasehold;
        this.title = title;
    }

    /** Connects, for fair locks. */
    public static LeaseSubject fair(String uri) {
        return new LeaseSubject(Leasehold.connect(uri), FAIR);
    }

    /** Connects, for read-write locks. */
    public static LeaseSubject readWrite(String uri) {
        return new LeaseSubject(Leasehold.connect(uri), READ_WRITE);
    }

    /** Connects, and does not look whether the server endangers locks. */
    public static LeaseSubject withoutPreflight(String uri) {
        return new LeaseSubject(
                Leasehold.builder().uri(uri).preflight(Preflight.OFF).build(), NAME);
    }

    @Override
    public String name() {
        return title;
    }

    @Override
    public Grip grip(String lock) {
        String name = "lease:" + lock;
        return new LeaseGrip(title.equals(FAIR) ? leasehold.fairLock(name) : leasehold.lock(name), false);
    }

    @Override
    public Grip reader(String lock) {
        return new LeaseGrip(leasehold.readWriteLock("lease:" + lock).readLock(), true);
    }

    @Override
    public void close() {
        leasehold.close();
    }

    /** Its tokens must rise; readers may share one. */
    private static final class LeaseGrip implements Grip {

        private final DistributedLock lock;
        private final boolean shared;
        private @Nullable Lease lease;
        private long lastToken;

        LeaseGrip(DistributedLock lock, boolean shared) {
            this.lock = lock;
            this.shared = shared;
        }

        @Override
        public void acquire() throws InterruptedException {
            accept(lock.acquire());
        }

        @Override
        public boolean tryAcquire() {
            Lease taken = lock.tryAcquire().orElse(null);
            if (taken == null) {
                return false;
            }
            accept(taken);
            return true;
        }

        private void accept(Lease taken) {
            long token = taken.fencingToken();
            if (token < lastToken || (token == lastToken && !shared)) {
                throw new IncorrectException("the fencing token " + token + " of " + taken.name() + " came after "
                        + lastToken + ", and should be higher");
            }
            lastToken = token;
            lease = taken;
        }

        @Override
        public boolean held() {
            return lease != null && lease.isHeld();
        }

        @Override
        public void onLost(Runnable told) {
            if (lease != null) {
                lease.onLost(event -> told.run());
            }
        }

        @Override
        public void release() {
            Lease taken = lease;
            if (taken == null) {
                throw new IllegalStateException("released before it was acquired");
            }
            lease = null;
            taken.close();
        }
    }
}
