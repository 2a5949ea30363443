package dev.leasehold.internal.wait;

import static dev.leasehold.internal.wait.Schedules.check;
import static dev.leasehold.internal.wait.Schedules.join;

import dev.leasehold.internal.acquire.Acquisition;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LocalGrant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The lock goes from one lease of this process to the next, under many schedules of its holder and those who wait: one has
 * it at a time, and all who wait for it get it. Lincheck chooses the schedules; a lock that got lost on the way leaves
 * somebody waiting for ever, which is a deadlock that it reports.
 */
class HandOffSchedulesTest {

    private static final long PLACE = 7;

    /** How the holder gives the lock up. */
    private enum Way {
        STRAIGHT(Leases::next),
        OPEN(Leases::nextAtOnce);

        private final Function<LeaseRecord, LocalGrant> grant;

        Way(Function<LeaseRecord, LocalGrant> grant) {
            this.grant = grant;
        }
    }

    /** The lock as Redis has it: held by this client, or free; and whether its one place in the queue is taken. */
    private static final class World {
        private final WaitingRig rig = WaitingRig.fresh();
        private final WaitingRig.Client client = rig.client();
        private final Way way;
        private final AtomicInteger inside = new AtomicInteger(1);
        private final AtomicInteger served = new AtomicInteger();
        private boolean free;
        private boolean queued;

        World(Way way) {
            this.way = way;
        }

        /** Takes the lock if it is free, else the place. */
        private synchronized boolean ask(boolean waits) {
            boolean granted = free;
            free = false;
            queued = !granted && waits;
            return granted;
        }

        private synchronized boolean freed() {
            free = true;
            return queued;
        }

        /** What a holder does at its end: the lock is handed on, or goes to Redis, which wakes the place. */
        private void release(LeaseRecord record) {
            inside.decrementAndGet();
            Leases.release(record);
            if (!client.hand(record, way.grant.apply(record)) && freed()) {
                client.woken(PLACE, WaitingRig.KEY);
            }
        }

        private void enter() {
            check(inside.incrementAndGet() == 1, "two have the lock");
            served.incrementAndGet();
        }

        private synchronized boolean isFree() {
            return free;
        }

        private synchronized boolean isQueued() {
            return queued;
        }
    }

    /** One that waits, step by step as an {@link Acquisition} and its driver do. */
    private static final class Waiter {
        private final World world;
        private final LeaseRecord record = Leases.acquiring();
        private final LocalQueueEntry entry;
        private boolean due = true;

        Waiter(World world) {
            this.world = world;
            this.entry = WaitingRig.join(world.client);
        }

        private void waitAndWork() {
            Schedules.Pause pause = new Schedules.Pause();
            entry.wakeBy(pause::end);
            while (!has()) {
                pause.await();
            }
            world.enter();
            world.release(record);
        }

        /** Looks for the lock; if it has not come, the waiter is ready for it and pauses. */
        private boolean has() {
            while (true) {
                if (handed(entry.takeHandOff(record))) {
                    return true;
                }
                if (!looks()) {
                    entry.awaitHandOff(record);
                    return false;
                }
                if (handed(entry.endHandOff(record)) || asks()) {
                    return true;
                }
            }
        }

        private boolean looks() {
            if (entry.waitsLocally()) {
                due = false;
            }
            due |= entry.pollRequested();
            return due;
        }

        private boolean handed(LocalGrant grant) {
            if (grant != null) {
                record.handed(grant);
            }
            return grant != null;
        }

        private boolean asks() {
            due = false;
            boolean waits = entry.waiter(true).waits();
            if (world.ask(waits)) {
                Leases.grantForMany(record);
                entry.granted(record);
                return true;
            }
            entry.positioned(waits ? PLACE : 0, 0);
            return false;
        }

        /** Its time is over. Returns whether it has the lock all the same. */
        private boolean givesUp() {
            if (handed(entry.takeHandOff(record)) || handed(entry.endHandOff(record))) {
                return true;
            }
            entry.leave();
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void allWhoWaitGetItAndOneAtATime(Way way) {
        Schedules.explore(() -> {
            World world = new World(way);
            Waiter one = new Waiter(world);
            Waiter other = new Waiter(world);
            check(!one.has() && !other.has(), "has the lock of another");
            Thread first = new Thread(one::waitAndWork);
            Thread second = new Thread(other::waitAndWork);
            first.start();
            second.start();
            world.release(Leases.handingOff());
            join(first);
            join(second);
            check(world.served.get() == 2, "served " + world.served.get());
            checkLeftInOrder(world);
        });
    }

    @ParameterizedTest
    @EnumSource
    void whoGivesUpKeepsItOrLeavesItToTheNext(Way way) {
        Schedules.explore(() -> {
            World world = new World(way);
            Waiter impatient = new Waiter(world);
            Waiter next = new Waiter(world);
            boolean had = impatient.has();
            Thread givingUp = new Thread(() -> {
                if (impatient.givesUp()) {
                    world.enter();
                    world.release(impatient.record);
                }
            });
            Thread waiting = new Thread(next::waitAndWork);
            givingUp.start();
            waiting.start();
            world.release(Leases.handingOff());
            join(givingUp);
            join(waiting);
            check(!had && next.record.state() == LeaseState.RELEASING, "the next was not served");
            checkLeftInOrder(world);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aWakeUpThatComesLateDoesNotCostTheLock(Way way) {
        Schedules.explore(() -> {
            World world = new World(way);
            Waiter waiter = new Waiter(world);
            Thread waiting = new Thread(waiter::waitAndWork);
            Thread waking = new Thread(() -> world.client.woken(PLACE, WaitingRig.KEY));
            waiting.start();
            waking.start();
            world.release(Leases.handingOff());
            join(waiting);
            join(waking);
            check(world.served.get() == 1, "served " + world.served.get());
            checkLeftInOrder(world);
        });
    }

    /** The lock is free, and so is the place, or it is being given back. */
    private static void checkLeftInOrder(World world) {
        check(world.inside.get() == 0 && world.isFree(), "the lock is not free");
        check(world.rig.join().first(), "a line is left over");
        check(!world.isQueued() || world.rig.givenBack() > 0, "the place stays behind");
    }
}
