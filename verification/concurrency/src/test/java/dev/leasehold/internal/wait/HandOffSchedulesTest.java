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
 * The lock is handed off from one lease of this process to the next, under many schedules of its holder and its waiters:
 * one lease holds it at a time, and all waiters get it. Lincheck chooses the schedules; a lost lock leaves a waiter
 * without a wake-up, which Lincheck reports as a deadlock.
 */
class HandOffSchedulesTest {

    private static final long POSITION = 7;

    /** The kind of grant that the holder hands off. */
    private enum HandOffKind {
        DIRECT(Leases::next),
        OPEN(Leases::nextAtOnce);

        private final Function<LeaseRecord, LocalGrant> grant;

        HandOffKind(Function<LeaseRecord, LocalGrant> grant) {
            this.grant = grant;
        }
    }

    /** The lock as Redis stores it: held by this client, or free; and whether the one position in its queue is taken. */
    private static final class World {
        private final WaitingRig rig = WaitingRig.fresh();
        private final WaitingRig.Client client = rig.client();
        private final HandOffKind kind;
        private final AtomicInteger inside = new AtomicInteger(1);
        private final AtomicInteger served = new AtomicInteger();
        private boolean free;
        private boolean queued;

        World(HandOffKind kind) {
            this.kind = kind;
        }

        /** Takes the lock if it is free, else the position. */
        private synchronized boolean poll(boolean waits) {
            boolean granted = free;
            free = false;
            queued = !granted && waits;
            return granted;
        }

        private synchronized boolean freed() {
            free = true;
            return queued;
        }

        /** Releases: hands the lock off, or releases it to Redis, which wakes the position. */
        private void release(LeaseRecord record) {
            inside.decrementAndGet();
            Leases.release(record);
            if (!client.hand(record, kind.grant.apply(record)) && freed()) {
                client.woken(POSITION, WaitingRig.KEY);
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

    /** A waiter that takes the same steps as an {@link Acquisition} and its driver. */
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
            while (!hasLock()) {
                pause.await();
            }
            world.enter();
            world.release(record);
        }

        /** Returns whether the waiter has the lock; if not, it awaits a hand-off and pauses. */
        private boolean hasLock() {
            while (true) {
                if (handed(entry.takeHandOff(record))) {
                    return true;
                }
                if (!mustPoll()) {
                    entry.awaitHandOff(record);
                    return false;
                }
                if (handed(entry.endHandOff(record)) || polls()) {
                    return true;
                }
            }
        }

        private boolean mustPoll() {
            if (entry.waitsLocally()) {
                due = false;
            }
            due |= entry.takePollRequest();
            return due;
        }

        private boolean handed(LocalGrant grant) {
            if (grant != null) {
                record.handed(grant);
            }
            return grant != null;
        }

        private boolean polls() {
            due = false;
            boolean waits = entry.nextWaiter(true).waits();
            if (world.poll(waits)) {
                Leases.grantForMany(record);
                entry.granted(record);
                return true;
            }
            entry.positioned(waits ? POSITION : 0, 0);
            return false;
        }

        /** Gives up at the timeout. Returns whether the waiter has the lock nevertheless. */
        private boolean givesUp() {
            if (handed(entry.takeHandOff(record)) || handed(entry.endHandOff(record))) {
                return true;
            }
            entry.leave(null);
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void allWaitersGetTheLockOneAtATime(HandOffKind kind) {
        Schedules.explore(() -> {
            World world = new World(kind);
            Waiter one = new Waiter(world);
            Waiter other = new Waiter(world);
            check(!one.hasLock() && !other.hasLock(), "a waiter has the lock of another");
            Thread first = new Thread(one::waitAndWork);
            Thread second = new Thread(other::waitAndWork);
            first.start();
            second.start();
            world.release(Leases.handingOff());
            join(first);
            join(second);
            check(world.served.get() == 2, "served " + world.served.get());
            checkNothingIsLeft(world);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterThatGivesUpKeepsTheLockOrLeavesItToTheNext(HandOffKind kind) {
        Schedules.explore(() -> {
            World world = new World(kind);
            Waiter impatient = new Waiter(world);
            Waiter next = new Waiter(world);
            boolean hadLock = impatient.hasLock();
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
            check(!hadLock && next.record.state() == LeaseState.RELEASING, "the next was not served");
            checkNothingIsLeft(world);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLateWakeUpDoesNotLoseTheLock(HandOffKind kind) {
        Schedules.explore(() -> {
            World world = new World(kind);
            Waiter waiter = new Waiter(world);
            Thread waiting = new Thread(waiter::waitAndWork);
            Thread waking = new Thread(() -> world.client.woken(POSITION, WaitingRig.KEY));
            waiting.start();
            waking.start();
            world.release(Leases.handingOff());
            join(waiting);
            join(waking);
            check(world.served.get() == 1, "served " + world.served.get());
            checkNothingIsLeft(world);
        });
    }

    /** Checks that the lock is free, and that the position is free or being released. */
    private static void checkNothingIsLeft(World world) {
        check(world.inside.get() == 0 && world.isFree(), "the lock is not free");
        check(world.rig.join().first(), "a local queue is left over");
        check(!world.isQueued() || world.rig.releasedPositions() > 0, "the position is left over");
    }
}
