package dev.leasehold.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/**
 * The line of this client's acquisitions in front of one lock, under many schedules of two or three threads. Lincheck
 * chooses them; who waits for ever is a deadlock that it reports.
 */
class QueueTest {

    private static final int SCHEDULES = 1000;
    private static final long PLACE = 7;

    @Test
    void nobodyIsStrandedAndNoTwoAreFirst() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Rooms rooms = Rooms.fresh();
            AtomicInteger inside = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                threads.add(new Thread(() -> passThrough(rooms.room(), inside)));
            }
            threads.forEach(Thread::start);
            threads.forEach(QueueTest::join);
            check(rooms.join().first(), "a line is left over");
            check(rooms.givenBack() == 0, "a place was given back that nobody had");
        });
    }

    /** Waits as a driver does, which does not know whether it was woken or called before it paused. */
    private static void passThrough(WaitRoom room, AtomicInteger inside) {
        LineSeat seat = Rooms.join(room);
        Thread me = Thread.currentThread();
        seat.wakeBy(() -> LockSupport.unpark(me));
        boolean looks = seat.first();
        while (!looks) {
            looks = seat.called();
            if (!looks) {
                LockSupport.park();
            }
        }
        check(seat.first(), "called without being first");
        check(inside.incrementAndGet() == 1, "two are first");
        inside.decrementAndGet();
        seat.leave();
    }

    @Test
    void thePlaceIsGivenBackOnceByTheLast() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Rooms rooms = Rooms.fresh();
            LineSeat first = rooms.joinWithPlace(PLACE);
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
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            Rooms rooms = Rooms.fresh();
            LineSeat first = rooms.joinWithPlace(PLACE);
            LineSeat next = rooms.join();
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

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
