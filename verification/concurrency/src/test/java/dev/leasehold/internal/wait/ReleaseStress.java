package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZLL_Result;

/** Answers and deadlines that race with the holder's release: a released or lost lease is never held again. */
public final class ReleaseStress {

    private ReleaseStress() {}

    /** One of the two is first, and the lease is released in either case. */
    @JCStressTest
    @Outcome(id = "HELD, HELD, RELEASING", expect = Expect.ACCEPTABLE, desc = "renewed, then released")
    @Outcome(id = "RELEASING, UNCONFIRMED, RELEASING", expect = Expect.ACCEPTABLE, desc = "the answer was too late")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held after its release, or both were first")
    @State
    public static class AgainstRenewal {
        private final LeaseRecord record = Leases.unconfirmed();

        @Actor
        public void renew(LLL_Result seen) {
            seen.r1 = Leases.confirm(record, 5);
        }

        @Actor
        public void release(LLL_Result seen) {
            seen.r2 = Leases.release(record);
        }

        @Arbiter
        public void after(LLL_Result seen) {
            seen.r3 = record.state();
        }
    }

    /** The same against a renewal without an answer. */
    @JCStressTest
    @Outcome(
            id = "UNCONFIRMED, UNCONFIRMED, RELEASING",
            expect = Expect.ACCEPTABLE,
            desc = "unconfirmed, then released")
    @Outcome(id = "RELEASING, HELD, RELEASING", expect = Expect.ACCEPTABLE, desc = "the timeout was too late")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held after its release, or both were first")
    @State
    public static class AgainstSilence {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void unanswered(LLL_Result seen) {
            seen.r1 = record.apply(LeaseEvent.UNANSWERED).after();
        }

        @Actor
        public void release(LLL_Result seen) {
            seen.r2 = Leases.release(record);
        }

        @Arbiter
        public void after(LLL_Result seen) {
            seen.r3 = record.state();
        }
    }

    /** Released by its holder or lost by its deadline, and never both. */
    @JCStressTest
    @Outcome(id = "true, LOST, LOST", expect = Expect.ACCEPTABLE, desc = "lost, and the release was too late")
    @Outcome(id = "false, HELD, RELEASING", expect = Expect.ACCEPTABLE, desc = "released in time")
    @Outcome(expect = Expect.FORBIDDEN, desc = "lost and released, or neither")
    @State
    public static class AgainstDeadline {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void expire(ZLL_Result seen) {
            seen.r1 = Leases.lose(record);
        }

        @Actor
        public void release(ZLL_Result seen) {
            seen.r2 = Leases.release(record);
        }

        @Arbiter
        public void after(ZLL_Result seen) {
            seen.r3 = record.state();
        }
    }

    /** An answer that arrives at the deadline: lost in the end, and never held again. */
    @JCStressTest
    @Outcome(id = "HELD, true, LOST", expect = Expect.ACCEPTABLE, desc = "confirmed, then declared lost")
    @Outcome(id = "LOST, true, LOST", expect = Expect.ACCEPTABLE, desc = "the answer was too late")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held after it was lost")
    @State
    public static class RenewalAgainstDeadline {
        private final LeaseRecord record = Leases.unconfirmed();

        @Actor
        public void renew(LLL_Result seen) {
            seen.r1 = Leases.confirm(record, 5);
        }

        @Actor
        public void expire(LLL_Result seen) {
            seen.r2 = Leases.lose(record);
        }

        @Arbiter
        public void after(LLL_Result seen) {
            seen.r3 = record.state();
        }
    }

    /** Two threads release: exactly one of them releases the lease. */
    @JCStressTest
    @Outcome(id = "HELD, RELEASING", expect = Expect.ACCEPTABLE, desc = "the first one releases it")
    @Outcome(id = "RELEASING, HELD", expect = Expect.ACCEPTABLE, desc = "the second one releases it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "released twice, or not at all")
    @State
    public static class Twice {
        private final LeaseRecord record = Leases.held();

        @Actor
        public void one(LL_Result seen) {
            seen.r1 = record.apply(LeaseEvent.RELEASE_CALLED).before();
        }

        @Actor
        public void other(LL_Result seen) {
            seen.r2 = record.apply(LeaseEvent.RELEASE_CALLED).before();
        }
    }
}
