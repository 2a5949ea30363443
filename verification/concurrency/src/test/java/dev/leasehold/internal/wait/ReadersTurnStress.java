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

/** A writer lets readers of its process in before its next writer, who comes when the last of them has left, and not before. */
public final class ReadersTurnStress {

    private ReadersTurnStress() {}

    /** A writer that is about to release, and of its client readers and a writer that wait. */
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

        private boolean letsIn() {
            return client.hand(holder, Leases.next(holder));
        }

        /** A reader that has come in leaves: what becomes of the hold by that. */
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

    /** A reader leaves before the writer that has let it in is done: one of them is the last, and hands the lock on. */
    @JCStressTest
    @Outcome(id = "true, none, false", expect = Expect.ACCEPTABLE, desc = "it has not come in yet")
    @Outcome(id = "true, left, true", expect = Expect.ACCEPTABLE, desc = "handed on by the writer")
    @Outcome(id = "true, handed, true", expect = Expect.ACCEPTABLE, desc = "handed on by the reader")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed on twice, or to nobody, or before the reader has left")
    @State
    public static class LeavingAgainstLettingIn {
        private final Turn turn = new Turn();
        private final LeaseRecord record = Leases.acquiringToRead();
        private final LocalQueueEntry reader = turn.reader(record);

        @Actor
        public void letIn(LLZ_Result seen) {
            seen.r1 = turn.letsIn();
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

    /** Two readers leave: the last of them hands the lock on, once. */
    @JCStressTest
    @Outcome(id = "left, handed, true", expect = Expect.ACCEPTABLE, desc = "handed on by the second")
    @Outcome(id = "handed, left, true", expect = Expect.ACCEPTABLE, desc = "handed on by the first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed on twice, or by nobody")
    @State
    public static class TwoLeave {
        private final Turn turn = new Turn();
        private final LeaseRecord first = Leases.acquiringToRead();
        private final LeaseRecord second = Leases.acquiringToRead();

        public TwoLeave() {
            turn.reader(first);
            turn.reader(second);
            turn.letsIn();
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
     * The writer behind the readers gives up when the last of them leaves: it is handed the lock, or Redis is told that they
     * read, or the lock goes back; of a hold of which Redis is told so nothing is handed on.
     */
    @JCStressTest
    @Outcome(
            id = "true, true, false",
            expect = Expect.ACCEPTABLE,
            desc = "handed to the writer, who finds it when giving up")
    @Outcome(
            id = "false, false, (true|false)",
            expect = Expect.ACCEPTABLE,
            desc = "the writer had left, or was leaving")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handed on though Redis lets others in, or to nobody")
    @State
    public static class LeavingAgainstGivingUp {
        private final Turn turn = new Turn();
        private final LeaseRecord reader = Leases.acquiringToRead();

        public LeavingAgainstGivingUp() {
            turn.reader(reader);
            turn.letsIn();
        }

        @Actor
        public void leave(ZZZ_Result seen) {
            seen.r1 = turn.leaves(reader).equals("handed");
        }

        @Actor
        public void giveUp(ZZZ_Result seen) {
            seen.r2 = turn.nextHasIt();
            if (!seen.r2) {
                turn.next.leave();
            }
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r3 = !turn.holder.mayHandOff();
            WaitingRig.forgetShared();
        }
    }
}
