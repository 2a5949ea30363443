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

/** The loss of a lease is told exactly once to each who must hear it, and to nobody after the release. */
public final class LossStress {

    private LossStress() {}

    private static void tell(@Nullable List<Consumer<LossEvent>> those) {
        if (those != null) {
            those.forEach(one -> one.accept(Leases.LOSS));
        }
    }

    private static @Nullable List<Consumer<LossEvent>> lose(LeaseRecord record, LeaseEvent event) {
        return record.notice().lose(() -> record.apply(event).became(LeaseState.LOST), Leases.LOSS);
    }

    /** The watchdog finds the deadline passed while Redis answers that the hold is gone. */
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "lost by its deadline")
    @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "lost by the answer")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost twice, or told never or twice")
    @State
    public static class Twice {
        private final LeaseRecord record = Leases.held();
        private final AtomicInteger told = new AtomicInteger();

        public Twice() {
            record.notice().add(event -> told.incrementAndGet());
        }

        @Actor
        public void expire(ZZI_Result seen) {
            List<Consumer<LossEvent>> those = lose(record, LeaseEvent.DEADLINE_PASSED);
            tell(those);
            seen.r1 = those != null;
        }

        @Actor
        public void disown(ZZI_Result seen) {
            List<Consumer<LossEvent>> those = lose(record, LeaseEvent.DISOWNED);
            tell(those);
            seen.r2 = those != null;
        }

        @Arbiter
        public void after(ZZI_Result seen) {
            seen.r3 = told.get();
        }
    }

    /** A listener that comes while the lease is lost is told, once, and so is the one that was there before. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each was told once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a listener was told never, or twice")
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
            tell(LossStress.lose(record, LeaseEvent.DEADLINE_PASSED));
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

    /** Two threads close a lost lease: the loss is thrown at one of them. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the first one is told")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the second one is told")
    @Outcome(expect = Expect.FORBIDDEN, desc = "told to nobody, or twice")
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

    /** Who closes a lease that is being lost is told if it was too late, and only then. */
    @JCStressTest
    @Outcome(id = "HELD, false", expect = Expect.ACCEPTABLE, desc = "closed in time")
    @Outcome(id = "LOST, true", expect = Expect.ACCEPTABLE, desc = "too late, and told")
    @Outcome(expect = Expect.FORBIDDEN, desc = "too late and not told, or told of nothing")
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

    /** An interrupt that was decided on lands before the release returns, or never. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "released first: no interrupt")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "interrupted while it held")
    @Outcome(expect = Expect.FORBIDDEN, desc = "interrupted after its lease was closed")
    @State
    public static class Interrupt {
        private final LeaseRecord record = Leases.held();
        private final Owner owner = new Owner();

        /** Only notes when it is interrupted. */
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
