package dev.leasehold.internal.wait;

import static dev.leasehold.internal.wait.Schedules.check;
import static dev.leasehold.internal.wait.Schedules.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The local queue of one lock, under many schedules of two or three threads. Lincheck chooses them, and reports a waiter
 * without a wake-up as a deadlock.
 */
class QueueTest {

    private static final long POSITION = 7;

    @Test
    void noWaiterIsStrandedAndNoTwoAreHeads() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            AtomicInteger inside = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(new Thread(() -> waitAndLeave(rig.client(), inside)));
            }
            threads.forEach(Thread::start);
            threads.forEach(Schedules::join);
            check(rig.join().first(), "a local queue is left over");
            check(rig.releasedPositions() == 0, "a position was released that no waiter had");
        });
    }

    /** Waits like a driver, which may be woken before it pauses. */
    private static void waitAndLeave(WaitingRig.Client client, AtomicInteger inside) {
        LocalQueueEntry entry = WaitingRig.join(client);
        Schedules.Pause pause = new Schedules.Pause();
        entry.wakeBy(pause::end);
        boolean due = entry.first();
        while (!due) {
            due = entry.takePollRequest();
            if (!due) {
                pause.await();
            }
        }
        check(entry.first(), "woken without being the head");
        check(inside.incrementAndGet() == 1, "two are heads");
        inside.decrementAndGet();
        entry.leave(null);
    }

    @Test
    void theLastWaiterReleasesThePositionOnce() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            LocalQueueEntry first = rig.joinWithPosition(POSITION);
            Thread one = new Thread(() -> first.leave(null));
            Thread other = new Thread(() -> rig.join().leave(null));
            one.start();
            other.start();
            join(one);
            join(other);
            check(rig.releasedPositions() == 1, "released " + rig.releasedPositions() + " times");
        });
    }

    @Test
    void aWakeUpWhileTheHeadGivesUpReachesTheNextWaiter() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            LocalQueueEntry first = rig.joinWithPosition(POSITION);
            LocalQueueEntry next = rig.join();
            Thread leaving = new Thread(() -> first.leave(null));
            Thread waking = new Thread(() -> rig.wake(POSITION));
            leaving.start();
            waking.start();
            join(leaving);
            join(waking);
            check(next.first() && next.takePollRequest(), "the next waiter is not woken");
            check(rig.releasedPositions() == 0, "the position was released though a waiter is left");
        });
    }

    @Test
    void aWakeUpWhileTheHeadGivesUpWithoutAnAnswerReachesTheNextWaiter() {
        Schedules.explore(() -> {
            WaitingRig rig = WaitingRig.fresh();
            LocalQueueEntry head = rig.join();
            head.nextWaiter(true);
            LocalQueueEntry next = rig.join();
            Thread leaving = new Thread(() -> {
                head.leave(null);
                head.positionedLate(POSITION);
            });
            Thread waking = new Thread(() -> rig.wake(POSITION));
            leaving.start();
            waking.start();
            join(leaving);
            join(waking);
            check(next.first() && next.takePollRequest(), "the next waiter is not woken");
            // Twice if the wake-up arrives last: Redis finds nothing the second time, because no position is assigned
            // twice.
            check(rig.releasedPositions() >= 1, "a position without a waiter was not released");
        });
    }
}
