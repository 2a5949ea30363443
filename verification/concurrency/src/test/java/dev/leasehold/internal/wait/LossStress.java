package dev.leasehold.internal.wait;

import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LZ_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The loss of a lease is reported exactly once to each receiver, and to none after the release. */
public final class LossStress {

    private LossStress() {}

    private static void notifyAllOf(@Nullable List<Consumer<LossEvent>> listeners) {
        if (listeners != null) {
            listeners.forEach(one -> one.accept(Leases.LOSS));
        }
    }

    private static @Nullable List<Consumer<LossEvent>> lose(LeaseRecord record, LeaseEvent event) {
        return record.notice().lose(() -> record.apply(event).became(LeaseState.LOST), Leases.LOSS);
    }

    /** The watchdog finds the deadline passed while Redis answers that the hold is gone. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "lost by its deadline")
    @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "lost by the answer")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost twice, or reported never or twice")
    @State
    public static class Twice {
        private final LeaseRecord record = Leases.held();
        private final AtomicInteger reported = new AtomicInteger();

        public Twice() {
            record.notice().add(event -> reported.incrementAndGet());
        }

        @Actor
        public void expire(ZZI_Result seen) {
            List<Consumer<LossEvent>> listeners = lose(record, LeaseEvent.DEADLINE_PASSED);
            notifyAllOf(listeners);
            seen.r1 = listeners != null;
        }

        @Actor
        public void disown(ZZI_Result seen) {
            List<Consumer<LossEvent>> listeners = lose(record, LeaseEvent.DISOWNED);
            notifyAllOf(listeners);
            seen.r2 = listeners != null;
        }

        @Arbiter
        public void after(ZZI_Result seen) {
            seen.r3 = reported.get();
        }
    }

    /** A listener that is added while the lease is lost is notified once, and so is an earlier one. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each was notified once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a listener was notified never, or twice")
    @State
    public static class Listener {
        private final LeaseRecord record = Leases.held();
        private final AtomicInteger early = new AtomicInteger();
        private final AtomicInteger late = new AtomicInteger();

        public Listener() {
            record.notice().add(event -> early.incrementAndGet());
        }

        @Actor
        public void lose() {
            notifyAllOf(LossStress.lose(record, LeaseEvent.DEADLINE_PASSED));
        }

        @Actor
        public void listen() {
            Consumer<LossEvent> listener = event -> late.incrementAndGet();
            LossEvent already = record.notice().add(listener);
            if (already != null) {
                listener.accept(already);
            }
        }

        @Arbiter
        public void after(II_Result seen) {
            seen.r1 = early.get();
            seen.r2 = late.get();
        }
    }

    /** Two threads close a lost lease: the loss is thrown in one of them. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the first one learns of it")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the second one learns of it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "none learns of it, or both")
    @State
    public static class Closers {
        private final LeaseRecord record = Leases.held();

        public Closers() {
            Leases.lose(record);
        }

        @Actor
        public void one(ZZ_Result seen) {
            seen.r1 = record.notice().takeForRelease() != null;
        }

        @Actor
        public void other(ZZ_Result seen) {
            seen.r2 = record.notice().takeForRelease() != null;
        }
    }

    /** A thread closes a lease that is being lost: it learns of the loss if it was too late, and only then. */
    @JCStressTest
    @Outcome(id = "HELD, false", expect = Expect.ACCEPTABLE, desc = "closed in time")
    @Outcome(id = "LOST, true", expect = Expect.ACCEPTABLE, desc = "too late, and reported")
    @Outcome(expect = Expect.FORBIDDEN, desc = "too late and not reported, or reported without cause")
    @State
    public static class Closer {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void lose() {
            Leases.lose(record);
        }

        @Actor
        public void close(LZ_Result seen) {
            seen.r1 = Leases.release(record);
            seen.r2 = record.notice().takeForRelease() != null;
        }
    }

    /** A pending interrupt of the owner is delivered before the release returns, or never. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "released first: no interrupt")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "interrupted while it held")
    @Outcome(expect = Expect.FORBIDDEN, desc = "interrupted after its lease was closed")
    @State
    public static class Interrupt {
        private final LeaseRecord record = Leases.held();
        private final Owner owner = new Owner();

        /** Only records that it is interrupted. */
        private static final class Owner extends Thread {
            volatile boolean closed;
            volatile int inTime;
            volatile int late;

            @Override
            public void interrupt() {
                if (closed) {
                    late = 1;
                } else {
                    inTime = 1;
                }
            }
        }

        @Actor
        public void interrupt() {
            record.notice().interrupt(owner);
        }

        @Actor
        public void close() {
            Leases.release(record);
            owner.closed = true;
        }

        @Arbiter
        public void after(II_Result seen) {
            seen.r1 = owner.inTime;
            seen.r2 = owner.late;
        }
    }
}
