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

    private final Leasehold leasehold;
    private final boolean fair;

    /** Connects. */
    public LeaseSubject(String uri) {
        this(Leasehold.connect(uri), false);
    }

    private LeaseSubject(Leasehold leasehold, boolean fair) {
        this.leasehold = leasehold;
        this.fair = fair;
    }

    /** Connects, for fair locks. */
    public static LeaseSubject fair(String uri) {
        return new LeaseSubject(Leasehold.connect(uri), true);
    }

    /** Connects, and does not look whether the server endangers locks. */
    public static LeaseSubject withoutPreflight(String uri) {
        return new LeaseSubject(
                Leasehold.builder().uri(uri).preflight(Preflight.OFF).build(), false);
    }

    @Override
    public String name() {
        return fair ? FAIR : NAME;
    }

    @Override
    public Grip grip(String lock) {
        String name = "lease:" + lock;
        return new LeaseGrip(fair ? leasehold.fairLock(name) : leasehold.lock(name));
    }

    @Override
    public void close() {
        leasehold.close();
    }

    /** Its tokens must rise. */
    private static final class LeaseGrip implements Grip {

        private final DistributedLock lock;
        private @Nullable Lease lease;
        private long lastToken;

        LeaseGrip(DistributedLock lock) {
            this.lock = lock;
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
            if (token <= lastToken) {
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
