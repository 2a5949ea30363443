package dev.leasehold.internal.wait;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Redis wakes a position just while the answer on another connection assigns it to this client: the head of the local queue
 * polls, and the wake-up is not passed on to others.
 */
public final class WakeUpStress {

    /** Each race has a position of its own, because all share the record of released positions. */
    private static final AtomicLong POSITIONS = new AtomicLong();

    private WakeUpStress() {}

    /** A local queue whose head has sent a poll and is about to learn its position; its subscription is confirmed. */
    private static final class Polling {
        private final WaitingRig.Client client = WaitingRig.anotherSubscribed();
        private final long position = POSITIONS.incrementAndGet();
        private final LocalQueueEntry entry;

        Polling(boolean reads) {
            entry = reads ? WaitingRig.joinReaders(client) : WaitingRig.join(client);
            entry.nextWaiter(true);
        }

        /** Returns whether the head, which learns its position, is to poll immediately. */
        private boolean learnsAndIsWoken() {
            entry.positioned(position, 0);
            return entry.queueForWakeUp() && entry.takePollRequest();
        }

        private void wake() {
            client.woken(position, WaitingRig.KEY);
        }

        private boolean releasedPosition() {
            return WaitingRig.released(position);
        }
    }

    /** The bug: the position was read twice, and assigned in between; so no waiter had it, and none was about to learn it. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "woken when it learns its position")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "woken in its pause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost, or passed on though a waiter has the position")
    @State
    public static class AgainstLearning {
        private final Polling polling = new Polling(false);

        @Actor
        public void learn(ZZZ_Result seen) {
            seen.r1 = polling.learnsAndIsWoken();
        }

        @Actor
        public void wake() {
            polling.wake();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r2 = polling.entry.takePollRequest();
            seen.r3 = polling.releasedPosition();
        }
    }

    /** The same for waiting readers, while the waiting writers of the client have another position. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "woken when it learns its position")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "woken in its pause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost, or passed on though a waiter has the position")
    @State
    public static class AgainstLearningOfReaders {
        private final Polling polling = new Polling(true);

        public AgainstLearningOfReaders() {
            LocalQueueEntry writer = WaitingRig.join(polling.client);
            writer.nextWaiter(true);
            writer.positioned(POSITIONS.incrementAndGet(), 1);
        }

        @Actor
        public void learn(ZZZ_Result seen) {
            seen.r1 = polling.learnsAndIsWoken();
        }

        @Actor
        public void wake() {
            polling.wake();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r2 = polling.entry.takePollRequest();
            seen.r3 = polling.releasedPosition();
        }
    }

    /** Both local queues have sent polls, and learn their positions. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "woken when it learns its position")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "woken in its pause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost, or passed on though a waiter has the position")
    @State
    public static class AgainstLearningOfBoth {
        private final Polling polling = new Polling(false);
        private final LocalQueueEntry reader = WaitingRig.joinReaders(polling.client);
        private final long positionOfReaders = POSITIONS.incrementAndGet();

        public AgainstLearningOfBoth() {
            reader.nextWaiter(true);
        }

        @Actor
        public void learn(ZZZ_Result seen) {
            reader.positioned(positionOfReaders, 1);
            seen.r1 = polling.learnsAndIsWoken();
        }

        @Actor
        public void wake() {
            polling.wake();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r2 = polling.entry.takePollRequest();
            seen.r3 = polling.releasedPosition();
        }
    }
}
