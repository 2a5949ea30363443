package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The lock is handed off from lease to lease within the process: to exactly one, and that one knows it. */
public final class HandOffStress {

    private HandOffStress() {}

    private static LocalQueueEntry awaiting(WaitingRig.Client client, LeaseRecord record) {
        LocalQueueEntry entry = WaitingRig.join(client);
        entry.awaitHandOff(record);
        return entry;
    }

    private static boolean hand(WaitingRig.Client client, LeaseRecord from) {
        return client.hand(from, Leases.next(from));
    }

    /** A lease that is about to be released, and two waiters of its client. */
    private static final class TwoWaiting {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LeaseRecord nextRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);
        private final LocalQueueEntry next = awaiting(client, nextRecord);

        /** Returns whether the head, which gives up, finds that it has the lock; if not, it leaves. */
        private boolean headFindsItOrLeaves() {
            boolean has = first.endHandOff(firstRecord) != null;
            if (!has) {
                first.leave(null);
            }
            return has;
        }

        private boolean nextHasIt() {
            return next.endHandOff(nextRecord) != null;
        }
    }

    /** The head gives up while the lock is handed off: the head has it, or the next waiter, or it goes to Redis. */
    @JCStressTest
    @Outcome(
            id = "true, true, false",
            expect = Expect.ACCEPTABLE,
            desc = "handed to the head, which finds it when giving up")
    @Outcome(
            id = "true, false, true",
            expect = Expect.ACCEPTABLE,
            desc = "the head had left: handed to the next waiter")
    @Outcome(
            id = "false, false, false",
            expect = Expect.ACCEPTABLE,
            desc = "the head was leaving: the lock goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held by two, or by none")
    @State
    public static class AgainstGivingUp {
        private final TwoWaiting two = new TwoWaiting();

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = two.client.hand(two.holder, Leases.next(two.holder));
        }

        @Actor
        public void giveUp(ZZZ_Result seen) {
            seen.r2 = two.headFindsItOrLeaves();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = two.nextHasIt();
        }
    }

    /** The lock is handed off while the head, after a spurious wake-up, pauses again: it keeps the lock. */
    @JCStressTest
    @Outcome(id = "true, (true|false), true", expect = Expect.ACCEPTABLE, desc = "the head has the lock, and finds it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the lock is lost")
    @State
    public static class AgainstPausingAgain {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord record = Leases.acquiring();
        private final LocalQueueEntry entry = awaiting(client, record);

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = hand(client, holder);
        }

        @Actor
        public void pauseAgain(ZZZ_Result seen) {
            seen.r2 = entry.takeHandOff(record) != null;
            if (!seen.r2) {
                entry.awaitHandOff(record);
            }
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = entry.takeHandOff(record) != null;
        }
    }

    /** The lock is handed off while the head, which was woken, begins a poll: the head has it, or Redis has. */
    @JCStressTest
    @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "handed to the head before its poll")
    @Outcome(
            id = "false, false, false",
            expect = Expect.ACCEPTABLE,
            desc = "the head polls, and the lock goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed to a waiter that polls, or lost")
    @State
    public static class AgainstPolling {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord record = Leases.acquiring();
        private final LocalQueueEntry entry = awaiting(client, record);

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = hand(client, holder);
        }

        @Actor
        public void poll(ZZZ_Result seen) {
            seen.r2 = entry.endHandOff(record) != null;
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = entry.takeHandOff(record) != null;
        }
    }

    /** A lease hands the lock off before its predecessor has finished: the last lease learns what becomes of the hold. */
    @JCStressTest
    @Outcome(
            id = "true, true, last",
            expect = Expect.ACCEPTABLE,
            desc = "handed off twice, and the last lease has the hold")
    @Outcome(id = "true, false, first", expect = Expect.ACCEPTABLE, desc = "handed off once")
    @Outcome(
            id = "false, false, holder",
            expect = Expect.ACCEPTABLE,
            desc = "the first was polling: the lock goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a loss would be reported to a lease without the lock")
    @State
    public static class TwoReleases {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LeaseRecord lastRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);
        private final LocalQueueEntry last = awaiting(client, lastRecord);

        @Actor
        public void release(ZZL_Result seen) {
            seen.r1 = hand(client, holder);
        }

        @Actor
        public void workAndRelease(ZZL_Result seen) {
            // A waiter may check for a hand-off at any time; without one it keeps waiting.
            LocalGrant grant = first.takeHandOff(firstRecord);
            if (grant == null) {
                first.awaitHandOff(firstRecord);
                return;
            }
            firstRecord.handed(grant);
            Leases.release(firstRecord);
            seen.r2 = hand(client, firstRecord);
        }

        @Arbiter
        public void after(ZZL_Result seen) {
            LeaseRecord present = holder.current();
            seen.r3 = present == lastRecord ? "last" : present == firstRecord ? "first" : "holder";
        }
    }

    /** The lock is left open when the head gives up: the head has it, or the next waiter, or it goes to Redis. */
    @JCStressTest
    @Outcome(id = "true, true, false", expect = Expect.ACCEPTABLE, desc = "the head finds it when giving up")
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the head had left: open to the next waiter")
    @Outcome(
            id = "false, false, false",
            expect = Expect.ACCEPTABLE,
            desc = "the head was leaving: the lock goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held by two, or by none")
    @State
    public static class OpenAgainstGivingUp {
        private final TwoWaiting two = new TwoWaiting();

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = two.client.hand(two.holder, Leases.nextAtOnce(two.holder));
        }

        @Actor
        public void giveUp(ZZZ_Result seen) {
            seen.r2 = two.headFindsItOrLeaves();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = two.nextHasIt();
        }
    }

    /** The head takes the open lock while another caller barges: one of them has it. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "held by the head")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "held by the barging caller")
    @Outcome(expect = Expect.FORBIDDEN, desc = "held by two, or by none")
    @State
    public static class HeadAgainstBarging {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LeaseRecord bargingRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);

        public HeadAgainstBarging() {
            client.hand(holder, Leases.nextAtOnce(holder));
        }

        @Actor
        public void take(ZZZ_Result seen) {
            seen.r1 = first.takeHandOff(firstRecord) != null;
        }

        @Actor
        public void barge(ZZZ_Result seen) {
            seen.r2 = WaitingRig.join(client).takeHandOff(bargingRecord) != null;
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = first.endHandOff(firstRecord) != null;
        }
    }

    /** A waiter that was overtaken while it woke up pauses again just when the lock is offered to it again: it is woken. */
    @JCStressTest
    @Outcome(id = "true, true, (true|false)", expect = Expect.ACCEPTABLE, desc = "it finds the open lock")
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "it is woken for the lock")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it pauses while the lock is open")
    @State
    public static class OpenAgainstPausing {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord bargingRecord = Leases.acquiring();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);
        private volatile boolean woken;

        public OpenAgainstPausing() {
            client.hand(holder, Leases.nextAtOnce(holder));
            LocalGrant taken = WaitingRig.join(client).takeHandOff(bargingRecord);
            first.wakeBy(() -> woken = taken != null);
            Leases.release(bargingRecord);
        }

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = client.hand(bargingRecord, Leases.nextAtOnce(bargingRecord));
        }

        @Actor
        public void pauseAgain(ZZZ_Result seen) {
            seen.r2 = first.takeHandOff(firstRecord) != null;
            if (!seen.r2) {
                first.awaitHandOff(firstRecord);
            }
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = woken;
        }
    }
}
