package dev.leasehold.internal.wait;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** An acquisition that is alone at its lock, and a second one that arrives. */
public final class AloneStress {

    private AloneStress() {}

    /** The first ends just while the second arrives: the second is the first of the queue, and polls. */
    @JCStressTest
    @Outcome(
            id = "true, true",
            expect = Expect.ACCEPTABLE,
            desc = "the second is the first, and nothing is left of the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the second waits for an acquisition that has ended")
    @State
    public static class EndsWhileAnotherArrives {

        private final WaitingRig.Client client = WaitingRig.another();
        private final LocalQueueEntry alone = WaitingRig.join(client);
        private LocalQueueEntry second;

        @Actor
        public void ends() {
            alone.leave(null);
        }

        @Actor
        public void arrives() {
            second = WaitingRig.join(client);
        }

        @Arbiter
        public void arbiter(ZZ_Result seen) {
            seen.r1 = second.first();
            second.leave(null);
            LocalQueueEntry last = WaitingRig.join(client);
            seen.r2 = last.first() && last.queue() == null;
        }
    }

    /** Two arrive at once: one is the first, and the other waits behind it. */
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the one is the first")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the other is the first")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both poll, or none")
    @State
    public static class ArriveTogether {

        private final WaitingRig.Client client = WaitingRig.another();
        private LocalQueueEntry one;
        private LocalQueueEntry other;

        @Actor
        public void one() {
            one = WaitingRig.join(client);
        }

        @Actor
        public void other() {
            other = WaitingRig.join(client);
        }

        @Arbiter
        public void arbiter(ZZ_Result seen) {
            seen.r1 = one.first();
            seen.r2 = other.first();
        }
    }
}
