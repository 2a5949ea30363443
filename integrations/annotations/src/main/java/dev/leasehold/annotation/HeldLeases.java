package dev.leasehold.annotation;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitingEvent;
import java.security.Principal;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the client of an application holds or waits for, from its events, which may be delivered out of order; a
 * listener of that client. Thread-safe.
 */
public final class HeldLeases implements LeaseholdListener {

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition changed = guard.newCondition();
    /** The number of leases of each hold; negative if the end of a lease was delivered before its start. */
    private final Map<Held, Integer> counts = new HashMap<>();

    /** Those of the former that are the terms of leaders. */
    private final Set<Held> terms = new HashSet<>();

    /** The number of waiters of each lock; negative if the end of a wait was delivered before its start. */
    private final Map<String, Integer> waiters = new HashMap<>();

    private volatile @Nullable Duration lastLag;

    /** Characters that would forge a line of the log. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    /** Creates the listener. */
    public HeldLeases() {}

    /**
     * A lock and its owner.
     *
     * @param lock the name of the lock
     * @param owner the named owner, or the first characters of the id of the acquisition
     */
    public record Held(String lock, String owner) {}

    /**
     * Returns the name of a user who takes a lease away, for the log.
     *
     * @param user the user of the request, or null
     * @return the name, in which question marks replace unprintable characters; empty if nobody is logged in
     */
    public static String nameOf(@Nullable Principal user) {
        return user == null
                ? ""
                : UNPRINTABLE.matcher(String.valueOf(user.getName())).replaceAll("?");
    }

    @Override
    public void renewed(RenewedEvent event) {
        lastLag = event.lag();
    }

    /**
     * Returns the time from the due time of the last renewal to its confirmation.
     *
     * @return the time, or null before the first renewal
     */
    public @Nullable Duration lastLag() {
        return lastLag;
    }

    /**
     * Returns the held locks.
     *
     * @return the number of leases of each owner
     */
    public Map<Held, Integer> held() {
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
        Held held = new Held(event.lockName(), event.owner());
        guard.lock();
        try {
            if (event.leader()) {
                terms.add(held);
            }
            add(held, 1);
        } finally {
            guard.unlock();
        }
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

    /**
     * Returns the locks that calls wait for.
     *
     * @return the number of calls of each
     */
    public Map<String, Integer> waiting() {
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
                terms.remove(held);
            } else {
                counts.put(held, count);
            }
            changed.signalAll();
        } finally {
            guard.unlock();
        }
    }

    /**
     * Returns the number of held leases.
     *
     * @return the number
     */
    public int number() {
        return number(held -> true);
    }

    private int number(Predicate<Held> which) {
        guard.lock();
        try {
            return counts.entrySet().stream()
                    .filter(each -> which.test(each.getKey()))
                    .mapToInt(each -> Math.max(0, each.getValue()))
                    .sum();
        } finally {
            guard.unlock();
        }
    }

    /**
     * Waits until no lease is held but those of leaders, which their candidates hold until the client is closed.
     *
     * @param limit the longest time to wait
     * @return false if the time is over before
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitNone(Duration limit) throws InterruptedException {
        long left = Objects.requireNonNull(limit, "limit").toNanos();
        guard.lockInterruptibly();
        try {
            while (number(held -> !terms.contains(held)) > 0) {
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
