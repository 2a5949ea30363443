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
            Rooms rooms = Rooms.fresh();
            AtomicInteger inside = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(new Thread(() -> passThrough(rooms.room(), inside)));
            }
            threads.forEach(Thread::start);
            threads.forEach(Schedules::join);
            check(rooms.join().first(), "a line is left over");
            check(rooms.givenBack() == 0, "a place was given back that nobody had");
        });
    }

    /** Waits as a driver does, which does not know whether it was woken or called before it paused. */
    private static void passThrough(LocalWaiters room, AtomicInteger inside) {
        LocalQueueEntry seat = Rooms.join(room);
        Schedules.Pause pause = new Schedules.Pause();
        seat.wakeBy(pause::end);
        boolean looks = seat.first();
        while (!looks) {
            looks = seat.called();
            if (!looks) {
                pause.await();
            }
        }
        check(seat.first(), "called without being first");
        check(inside.incrementAndGet() == 1, "two are first");
        inside.decrementAndGet();
        seat.leave();
    }

    @Test
    void thePlaceIsGivenBackOnceByTheLast() {
        Schedules.explore(() -> {
            Rooms rooms = Rooms.fresh();
            LocalQueueEntry first = rooms.joinWithPlace(PLACE);
            Thread one = new Thread(first::leave);
            Thread other = new Thread(() -> rooms.join().leave());
            one.start();
            other.start();
            join(one);
            join(other);
            check(rooms.givenBack() == 1, "given back " + rooms.givenBack() + " times");
        });
    }

    @Test
    void aWakeUpWhileTheFirstGivesUpReachesTheNext() {
        Schedules.explore(() -> {
            Rooms rooms = Rooms.fresh();
            LocalQueueEntry first = rooms.joinWithPlace(PLACE);
            LocalQueueEntry next = rooms.join();
            Thread leaving = new Thread(first::leave);
            Thread waking = new Thread(() -> rooms.wake(PLACE));
            leaving.start();
            waking.start();
            join(leaving);
            join(waking);
            check(next.first() && next.called(), "the next is not called");
            check(rooms.givenBack() == 0, "the place was given back though somebody waits");
        });
    }

    @Test
    void aWakeUpWhileWhoAskedGivesUpUntoldReachesTheNext() {
        Schedules.explore(() -> {
            Rooms rooms = Rooms.fresh();
            LocalQueueEntry asked = rooms.join();
            asked.waiter(true);
            LocalQueueEntry next = rooms.join();
            Thread leaving = new Thread(() -> {
                asked.leave();
                asked.placedLate(PLACE);
            });
            Thread waking = new Thread(() -> rooms.wake(PLACE));
            leaving.start();
            waking.start();
            join(leaving);
            join(waking);
            check(next.first() && next.called(), "the next is not called");
            // Twice if the wake-up comes last: Redis finds nothing the second time, for no place is given anew.
            check(rooms.givenBack() >= 1, "a place that nobody has was not given back");
        });
    }
}
