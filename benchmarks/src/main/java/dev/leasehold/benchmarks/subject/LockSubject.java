package dev.leasehold.benchmarks.subject;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;

/** Leasehold with all defaults, as a {@link java.util.concurrent.locks.Lock}: {@code lock()} and {@code unlock()}. */
public final class LockSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Leasehold lock/unlock";

    private final Leasehold leasehold;

    /** Connects. */
    public LockSubject(String uri) {
        leasehold = Leasehold.connect(uri);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        DistributedLock view = leasehold.lock("lock:" + lock);
        return new JdkGrip(view, view::isHeldByCurrentThread);
    }

    @Override
    public void close() {
        leasehold.close();
    }
}
