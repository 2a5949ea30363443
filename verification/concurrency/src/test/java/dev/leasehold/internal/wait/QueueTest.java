package dev.leasehold.internal.wait;

import static dev.leasehold.internal.wait.Schedules.check;
import static dev.leasehold.internal.wait.Schedules.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The line of this client's acquisitions in front of one lock, under many schedules of two or three threads. Lincheck
 * chooses them; who waits for ever is a deadlock that it reports.
 */
class QueueTest {

    private static final long PLACE = 7;

    @Test
    void nobodyIsStrandedAndNoTwoAreFirst() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            AtomicInteger inside = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(new Thread(() -> passThrough(rig.client(), inside)));
            }
            threads.forEach(Thread::start);
            threads.forEach(Schedules::join);
            check(rig.join().first(), "a line is left over");
            check(rig.givenBack() == 0, "a place was given back that nobody had");
        });
    }

    /** Waits as a driver does, which does not know whether it was woken or called before it paused. */
    private static void passThrough(WaitingRig.Client client, AtomicInteger inside) {
        LocalQueueEntry entry = WaitingRig.join(client);
        Schedules.Pause pause = new Schedules.Pause();
        entry.wakeBy(pause::end);
        boolean looks = entry.first();
        while (!looks) {
            looks = entry.pollRequested();
            if (!looks) {
                pause.await();
            }
        }
        check(entry.first(), "called without being first");
        check(inside.incrementAndGet() == 1, "two are first");
        inside.decrementAndGet();
        entry.leave();
    }

    @Test
    void thePlaceIsGivenBackOnceByTheLast() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            LocalQueueEntry first = rig.joinWithPlace(PLACE);
            Thread one = new Thread(first::leave);
            Thread other = new Thread(() -> rig.join().leave());
            one.start();
            other.start();
            join(one);
            join(other);
            check(rig.givenBack() == 1, "given back " + rig.givenBack() + " times");
        });
    }

    @Test
    void aWakeUpWhileTheFirstGivesUpReachesTheNext() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            LocalQueueEntry first = rig.joinWithPlace(PLACE);
            LocalQueueEntry next = rig.join();
            Thread leaving = new Thread(first::leave);
            Thread waking = new Thread(() -> rig.wake(PLACE));
            leaving.start();
            waking.start();
            join(leaving);
            join(waking);
            check(next.first() && next.pollRequested(), "the next is not called");
            check(rig.givenBack() == 0, "the place was given back though somebody waits");
        });
    }

    @Test
    void aWakeUpWhileWhoAskedGivesUpUntoldReachesTheNext() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            LocalQueueEntry asked = rig.join();
            asked.waiter(true);
            LocalQueueEntry next = rig.join();
            Thread leaving = new Thread(() -> {
                asked.leave();
                asked.positionedLate(PLACE);
            });
            Thread waking = new Thread(() -> rig.wake(PLACE));
            leaving.start();
            waking.start();
            join(leaving);
            join(waking);
            check(next.first() && next.pollRequested(), "the next is not called");
            // Twice if the wake-up comes last: Redis finds nothing the second time, for no place is given anew.
            check(rig.givenBack() >= 1, "a place that nobody has was not given back");
        });
    }
}
