package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseRecord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;
import org.openjdk.jcstress.infra.results.LJJ_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A thread that sees a state of a lease sees its fields. */
public final class PublicationStress {

    private PublicationStress() {}

    /** A thread that sees a lease as held sees the token and the deadline of the grant. */
    @JCStressTest
    @Outcome(id = "ACQUIRING, .*", expect = Expect.ACCEPTABLE, desc = "read before the grant")
    @Outcome(id = "HELD, 7, 0", expect = Expect.ACCEPTABLE, desc = "read after the grant")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held without the token or the deadline of the grant")
    @State
    public static class LocalGrant {
        private final LeaseRecord record = Leases.acquiring();

        @Actor
        public void grant() {
            Leases.grant(record);
        }

        @Actor
        public void poll(LJJ_Result seen) {
            seen.r1 = record.state();
            seen.r2 = record.token();
            seen.r3 = Leases.deadlineFrom(record);
        }
    }

    /** A thread that sees that a renewal was counted sees its deadline. */
    @JCStressTest
    @Outcome(id = "0, [05]", expect = Expect.ACCEPTABLE, desc = "read before the renewal, or during it")
    @Outcome(id = "1, 5", expect = Expect.ACCEPTABLE, desc = "read after the renewal")
    @Outcome(expect = Expect.FORBIDDEN, desc = "renewed, but with an earlier deadline")
    @State
    public static class Renewal {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void renew() {
            Leases.confirm(record, 5);
        }

        @Actor
        public void poll(IJ_Result seen) {
            seen.r1 = record.renewals();
            seen.r2 = Leases.deadlineFrom(record);
        }
    }

    /**
     * An extension by the holder and a renewal by the watchdog, answered at the same time: both count, and the
     * later deadline applies.
     */
    @JCStressTest
    @Outcome(id = "2, 6", expect = Expect.ACCEPTABLE, desc = "both count, and the later deadline applies")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one answer undid the other")
    @State
    public static class TwoConfirmations {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void earlier() {
            Leases.confirm(record, 5);
        }

        @Actor
        public void later() {
            Leases.confirm(record, 6);
        }

        @Arbiter
        public void after(IJ_Result seen) {
            seen.r1 = record.renewals();
            seen.r2 = Leases.deadlineFrom(record);
        }
    }

    /** A thread that sees a lease as lost sees the cause. */
    @JCStressTest
    @Outcome(id = "HELD, .*", expect = Expect.ACCEPTABLE, desc = "read before the loss")
    @Outcome(id = "LOST, EXPIRED", expect = Expect.ACCEPTABLE, desc = "read after the loss")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost without a cause")
    @State
    public static class Loss {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void lose() {
            Leases.lose(record);
        }

        @Actor
        public void poll(LL_Result seen) {
            seen.r1 = record.state();
            var event = record.notice().event();
            seen.r2 = event == null ? "unknown" : event.cause();
        }
    }
}
