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
 * Redis wakes a place just while a line of this client is told that the place is its own, by another connection: the first
 * of the line looks, and the wake-up is not passed on to others.
 */
public final class WakeUpStress {

    /** Each race has a place of its own, as all share what is given back. */
    private static final AtomicLong PLACES = new AtomicLong();

    private WakeUpStress() {}

    /** A line whose first has asked Redis and is about to be told its place, of which it hears wake-ups already. */
    private static final class Asked {
        private final WaitingRig.Client client = WaitingRig.anotherSubscribed();
        private final long place = PLACES.incrementAndGet();
        private final LocalQueueEntry entry;

        Asked(boolean reads) {
            entry = reads ? WaitingRig.joinReaders(client) : WaitingRig.join(client);
            entry.waiter(true);
        }

        /** Whether the first, which learns its place, is to look at once. */
        private boolean learnsAndIsCalled() {
            entry.positioned(place, 0);
            return entry.willBeWoken() && entry.pollRequested();
        }

        private void wake() {
            client.woken(place, WaitingRig.KEY);
        }

        private boolean gaveBack() {
            return WaitingRig.gaveBack(place);
        }
    }

    /** The bug: the place was read twice, and learnt in between; so nobody had it, and nobody was about to learn one. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "called when it learns its place")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "called in its pause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost, or passed on though somebody has the place")
    @State
    public static class AgainstLearning {
        private final Asked asked = new Asked(false);

        @Actor
        public void learn(ZZZ_Result seen) {
            seen.r1 = asked.learnsAndIsCalled();
        }

        @Actor
        public void wake() {
            asked.wake();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r2 = asked.entry.pollRequested();
            seen.r3 = asked.gaveBack();
        }
    }

    /** The same for those who wait to read, while those of their client who wait to write have another place. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "called when it learns its place")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "called in its pause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost, or passed on though somebody has the place")
    @State
    public static class AgainstLearningOfReaders {
        private final Asked asked = new Asked(true);

        public AgainstLearningOfReaders() {
            LocalQueueEntry writer = WaitingRig.join(asked.client);
            writer.waiter(true);
            writer.positioned(PLACES.incrementAndGet(), 1);
        }

        @Actor
        public void learn(ZZZ_Result seen) {
            seen.r1 = asked.learnsAndIsCalled();
        }

        @Actor
        public void wake() {
            asked.wake();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r2 = asked.entry.pollRequested();
            seen.r3 = asked.gaveBack();
        }
    }

    /** Both lines have asked, and learn their places. */
    @JCStressTest
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "called when it learns its place")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "called in its pause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost, or passed on though somebody has the place")
    @State
    public static class AgainstLearningOfBoth {
        private final Asked asked = new Asked(false);
        private final LocalQueueEntry reader = WaitingRig.joinReaders(asked.client);
        private final long placeOfReaders = PLACES.incrementAndGet();

        public AgainstLearningOfBoth() {
            reader.waiter(true);
        }

        @Actor
        public void learn(ZZZ_Result seen) {
            reader.positioned(placeOfReaders, 1);
            seen.r1 = asked.learnsAndIsCalled();
        }

        @Actor
        public void wake() {
            asked.wake();
        }

        @Arbiter
        public void after(ZZZ_Result seen) {
            seen.r2 = asked.entry.pollRequested();
            seen.r3 = asked.gaveBack();
        }
    }
}
