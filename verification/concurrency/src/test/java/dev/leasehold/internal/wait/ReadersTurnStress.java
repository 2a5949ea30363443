package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A writer admits readers of its process before its next writer, which is next once the last of them has left. */
public final class ReadersTurnStress {

    private ReadersTurnStress() {}

    /** A writer that is about to release, and waiting readers and a waiting writer of its client. */
    private static final class Turn {
        private final WaitingRig.Client client = WaitingRig.another();
        private final LeaseRecord holder = Leases.handingOff();
        private final LeaseRecord nextRecord = Leases.acquiring();
        private final LocalQueueEntry next = WaitingRig.join(client);

        Turn() {
            next.awaitHandOff(nextRecord);
        }

        private LocalQueueEntry reader(LeaseRecord record) {
            LocalQueueEntry entry = WaitingRig.joinReaders(client);
            entry.awaitHandOff(record);
            return entry;
        }

        private boolean admits() {
            return client.hand(holder, Leases.next(holder));
        }

        /** An admitted reader leaves. Returns what becomes of the hold. */
        private String leaves(LeaseRecord reader) {
            Leases.release(reader);
            if (!WaitingRig.leaves(reader)) {
                return "left";
            }
            LocalGrant grant = reader.mayHandOff() ? reader.next(0, 0) : null;
            return grant != null && client.hand(reader, grant) ? "handed" : "released";
        }

        private boolean nextHasIt() {
            return next.endHandOff(nextRecord) != null;
        }
    }

    /** A reader leaves before the writer that admitted it is done: one of them is the last, and hands the lock off. */
    @JCStressTest
    @Outcome(id = "true, none, false", expect = Expect.ACCEPTABLE, desc = "it is not admitted yet")
    @Outcome(id = "true, left, true", expect = Expect.ACCEPTABLE, desc = "handed off by the writer")
    @Outcome(id = "true, handed, true", expect = Expect.ACCEPTABLE, desc = "handed off by the reader")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed off twice, or to none, or before the reader has left")
    @State
    public static class LeavingAgainstAdmission {
        private final Turn turn = new Turn();
        private final LeaseRecord record = Leases.acquiringToRead();
        private final LocalQueueEntry reader = turn.reader(record);

        @Actor
        public void admit(LLZ_Result seen) {
            seen.r1 = turn.admits();
        }

        @Actor
        public void readAndLeave(LLZ_Result seen) {
            LocalGrant grant = reader.takeHandOff(record);
            if (grant == null) {
                seen.r2 = "none";
                return;
            }
            record.handed(grant);
            seen.r2 = turn.leaves(record);
        }

        @Arbiter
        public void after(LLZ_Result seen) {
            seen.r3 = turn.nextHasIt();
        }
    }

    /** Two readers leave: the last of them hands the lock off, once. */
    @JCStressTest
    @Outcome(id = "left, handed, true", expect = Expect.ACCEPTABLE, desc = "handed off by the second")
    @Outcome(id = "handed, left, true", expect = Expect.ACCEPTABLE, desc = "handed off by the first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed off twice, or by none")
    @State
    public static class TwoLeave {
        private final Turn turn = new Turn();
        private final LeaseRecord first = Leases.acquiringToRead();
        private final LeaseRecord second = Leases.acquiringToRead();

        public TwoLeave() {
            turn.reader(first);
            turn.reader(second);
            turn.admits();
        }

        @Actor
        public void one(LLZ_Result seen) {
            seen.r1 = turn.leaves(first);
        }

        @Actor
        public void other(LLZ_Result seen) {
            seen.r2 = turn.leaves(second);
        }

        @Arbiter
        public void after(LLZ_Result seen) {
            seen.r3 = turn.nextHasIt();
        }
    }

    /**
     * The writer behind the readers gives up when the last of them leaves: the writer gets the lock, or the hold is shared in
     * Redis, or the lock is released. A hold that is shared in Redis is never handed off.
     */
    @JCStressTest
    @Outcome(
            id = "true, true, false",
            expect = Expect.ACCEPTABLE,
            desc = "handed to the writer, which finds it when giving up")
    @Outcome(
            id = "false, false, (true|false)",
            expect = Expect.ACCEPTABLE,
            desc = "the writer had left, or was leaving")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed off though Redis admits others, or to none")
    @State
    public static class LeavingAgainstGivingUp {
        private final Turn turn = new Turn();
        private final LeaseRecord reader = Leases.acquiringToRead();

        public LeavingAgainstGivingUp() {
            turn.reader(reader);
            turn.admits();
        }

        @Actor
        public void leave(ZZZ_Result seen) {
            seen.r1 = turn.leaves(reader).equals("handed");
        }

        @Actor
        public void giveUp(ZZZ_Result seen) {
            seen.r2 = turn.nextHasIt();
            if (!seen.r2) {
                turn.next.leave(null);
            }
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = !turn.holder.mayHandOff();
            WaitingRig.forgetShared();
        }
    }
}
