package dev.leasehold.spring.boot;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitingEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the application's client holds, by its events, which may come in another order than things happened. */
final class HeldLeases implements LeaseholdListener {

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition changed = guard.newCondition();
    /** How many acquisitions without an end; less than none where the end was told first. */
    private final Map<Held, Integer> counts = new HashMap<>();

    /** How many wait for each lock; less than none where the end of a wait was told first. */
    private final Map<String, Integer> waiters = new HashMap<>();

    private volatile @Nullable Duration lastLag;

    /** Who holds what. */
    record Held(String lock, String owner) {}

    @Override
    public void renewed(RenewedEvent event) {
        lastLag = event.lag();
    }

    /** How long after it was due the last renewal was confirmed; null before the first. */
    @Nullable
    Duration lastLag() {
        return lastLag;
    }

    /** What is held, and by how many leases of one owner each. */
    Map<Held, Integer> held() {
        guard.lock();
        try {
            Map<Held, Integer> held = new HashMap<>(counts);
            held.values().removeIf(count -> count < 0);
            return held;
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void acquired(AcquiredEvent event) {
        add(new Held(event.lockName(), event.owner()), 1);
    }

    @Override
    public void released(ReleasedEvent event) {
        add(new Held(event.lockName(), event.owner()), -1);
    }

    @Override
    public void exported(ExportedEvent event) {
        add(new Held(event.lockName(), event.owner()), -1);
    }

    @Override
    public void lost(LossEvent event) {
        if (!event.afterRelease()) {
            add(new Held(event.lockName(), event.owner()), -1);
        }
    }

    @Override
    public void waiting(WaitingEvent event) {
        addWaiters(event.lockName(), 1);
    }

    @Override
    public void waitEnded(WaitEndedEvent event) {
        addWaiters(event.lockName(), -1);
    }

    private void addWaiters(String lock, int number) {
        guard.lock();
        try {
            waiters.merge(lock, number, Integer::sum);
            waiters.remove(lock, 0);
        } finally {
            guard.unlock();
        }
    }

    /** For which locks calls wait, and how many. */
    Map<String, Integer> waiting() {
        guard.lock();
        try {
            Map<String, Integer> waiting = new HashMap<>(waiters);
            waiting.values().removeIf(count -> count < 0);
            return waiting;
        } finally {
            guard.unlock();
        }
    }

    private void add(Held held, int number) {
        guard.lock();
        try {
            int count = counts.getOrDefault(held, 0) + number;
            if (count == 0) {
                counts.remove(held);
            } else {
                counts.put(held, count);
            }
            changed.signalAll();
        } finally {
            guard.unlock();
        }
    }

    /** How many leases are held. */
    int number() {
        guard.lock();
        try {
            return counts.values().stream()
                    .mapToInt(count -> Math.max(0, count))
                    .sum();
        } finally {
            guard.unlock();
        }
    }

    /** Waits until nothing is held, and returns whether that came in time. */
    boolean awaitNone(Duration limit) throws InterruptedException {
        guard.lockInterruptibly();
        try {
            long left = limit.toNanos();
            while (number() > 0) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            guard.unlock();
        }
    }
}
