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

/** The lock is handed from lease to lease within the process: to exactly one, who knows it. */
public final class HandOverStress {

    private HandOverStress() {}

    private static LocalQueueEntry awaiting(WaitingRig.Client client, LeaseRecord record) {
        LocalQueueEntry entry = WaitingRig.join(client);
        entry.awaitHandOff(record);
        return entry;
    }

    private static boolean hand(WaitingRig.Client client, LeaseRecord from) {
        return client.hand(from, Leases.next(from));
    }

    /** A lease that is about to be released, and two of its client that wait for the lock. */
    private static final class TwoWaiting {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LeaseRecord nextRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);
        private final LocalQueueEntry next = awaiting(client, nextRecord);

        /** Whether the first, who gives up, finds that it has the lock; if not, it leaves. */
        private boolean firstFindsItOrLeaves() {
            boolean has = first.endHandOff(firstRecord) != null;
            if (!has) {
                first.leave();
            }
            return has;
        }

        private boolean nextHasIt() {
            return next.endHandOff(nextRecord) != null;
        }
    }

    /** The first gives up while the lock is handed on: it has it, or the next has it, or it goes back to Redis. */
    @JCStressTest
    @Outcome(
            id = "true, true, false",
            expect = Expect.ACCEPTABLE,
            desc = "handed to the first, who finds it when giving up")
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first had left: handed to the next")
    @Outcome(id = "false, false, false", expect = Expect.ACCEPTABLE, desc = "the first was leaving: it goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "had by two, or by nobody")
    @State
    public static class AgainstGivingUp {
        private final TwoWaiting two = new TwoWaiting();

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = two.client.hand(two.holder, Leases.next(two.holder));
        }

        @Actor
        public void giveUp(ZZZ_Result seen) {
            seen.r2 = two.firstFindsItOrLeaves();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = two.nextHasIt();
        }
    }

    /** The lock is handed on while the first, which was woken for nothing, pauses again: it keeps what it was handed. */
    @JCStressTest
    @Outcome(id = "true, (true|false), true", expect = Expect.ACCEPTABLE, desc = "it has the lock, and finds it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "what it was handed is lost")
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

    /** The lock is handed on while the first, which was woken, goes to ask Redis: it has it, or Redis does. */
    @JCStressTest
    @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "handed to it before it asked")
    @Outcome(id = "false, false, false", expect = Expect.ACCEPTABLE, desc = "it asks, and the lock goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed to one that asks Redis for it, or lost")
    @State
    public static class AgainstLooking {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord record = Leases.acquiring();
        private final LocalQueueEntry entry = awaiting(client, record);

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = hand(client, holder);
        }

        @Actor
        public void look(ZZZ_Result seen) {
            seen.r2 = entry.endHandOff(record) != null;
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = entry.takeHandOff(record) != null;
        }
    }

    /** A lease hands the lock off before its predecessor has finished: the last lease learns what becomes of the hold. */
    @JCStressTest
    @Outcome(id = "true, true, last", expect = Expect.ACCEPTABLE, desc = "handed on twice, and the last has the hold")
    @Outcome(id = "true, false, first", expect = Expect.ACCEPTABLE, desc = "handed on once")
    @Outcome(id = "false, false, holder", expect = Expect.ACCEPTABLE, desc = "the first was looking: it goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a loss would be told to who has not got the lock")
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
            // It may look once more, unasked; if the lock has not come yet, it waits on.
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

    /** The lock is left open when the first gives up: it has it, or the next has it, or it goes back to Redis. */
    @JCStressTest
    @Outcome(id = "true, true, false", expect = Expect.ACCEPTABLE, desc = "the first finds it when giving up")
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first had left: open to the next")
    @Outcome(id = "false, false, false", expect = Expect.ACCEPTABLE, desc = "the first was leaving: it goes to Redis")
    @Outcome(expect = Expect.FORBIDDEN, desc = "had by two, or by nobody")
    @State
    public static class OpenAgainstGivingUp {
        private final TwoWaiting two = new TwoWaiting();

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = two.client.hand(two.holder, Leases.nextAtOnce(two.holder));
        }

        @Actor
        public void giveUp(ZZZ_Result seen) {
            seen.r2 = two.firstFindsItOrLeaves();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = two.nextHasIt();
        }
    }

    /** The first comes for the lock that is open while somebody passes: one of them has it. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "had by the first")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "had by who passed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "had by two, or by nobody")
    @State
    public static class FirstAgainstPassing {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LeaseRecord passingRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);

        public FirstAgainstPassing() {
            client.hand(holder, Leases.nextAtOnce(holder));
        }

        @Actor
        public void come(ZZZ_Result seen) {
            seen.r1 = first.takeHandOff(firstRecord) != null;
        }

        @Actor
        public void pass(ZZZ_Result seen) {
            seen.r2 = WaitingRig.join(client).takeHandOff(passingRecord) != null;
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = first.endHandOff(firstRecord) != null;
        }
    }

    /** A waiter that was overtaken while it woke up pauses again just when the lock is offered to it once more: it is woken. */
    @JCStressTest
    @Outcome(id = "true, true, (true|false)", expect = Expect.ACCEPTABLE, desc = "it found the lock open")
    @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "it is woken for it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it pauses while the lock is open to it")
    @State
    public static class OpenAgainstPausing {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord passingRecord = Leases.acquiring();
        private final LeaseRecord firstRecord = Leases.acquiring();
        private final LocalQueueEntry first = awaiting(client, firstRecord);
        private volatile boolean woken;

        public OpenAgainstPausing() {
            client.hand(holder, Leases.nextAtOnce(holder));
            LocalGrant taken = WaitingRig.join(client).takeHandOff(passingRecord);
            first.wakeBy(() -> woken = taken != null);
            Leases.release(passingRecord);
        }

        @Actor
        public void release(ZZZ_Result seen) {
            seen.r1 = client.hand(passingRecord, Leases.nextAtOnce(passingRecord));
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
