package dev.leasehold.inspect;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a lock, as Redis saw it at one moment. With several holds of one named owner, host, pid, thread, since and
 * label are those of the oldest. So with readers
 * and with who holds permits, of whom each is its own owner; readers of one process have one hold together.
 *
 * <p>A process hands a lock on to its own waiters without telling Redis. While it may do so ({@code handsOn}), owner,
 * thread, since and label are those of the first lease of the run, and the token is the first of those that belong to it;
 * who of the process has the lock at the moment only the process knows.
 *
 * <p>Of a plain lock that another library holds no more is known than the value under its key, of which the first characters
 * are the owner here.
 *
 * @param name the lock
 * @param owner the named owner, its hash if the name is longer than 44 bytes, or the first characters of the acquisition id
 * @param ownerNamed whether the owner was named by the caller
 * @param host the host name of the holder's process; empty if another library holds a plain lock
 * @param pid the process id of the holder; 0 if another library holds a plain lock
 * @param thread the name of the thread that acquired; empty if another library holds a plain lock
 * @param since when the hold began, by the clock of Redis; null if another library holds a plain lock
 * @param left how long until the last hold ends, without another renewal; a day for a plain lock whose key never expires
 * @param fencingToken the token of the holders; 0 for a plain lock and for permits
 * @param count how many live holds there are
 * @param label the label given with the options, or null
 * @param handsOn whether the holder's process may hand the lock on to its own waiters
 * @param shared whether the holders read and share the lock
 * @param permitsHeld how many permits of a semaphore they hold; 0 if they hold a lock
 * @param permits how many permits the semaphore has; 0 if they hold a lock
 */
public record LockInfo(
        String name,
        String owner,
        boolean ownerNamed,
        String host,
        long pid,
        String thread,
        @Nullable Instant since,
        Duration left,
        long fencingToken,
        int count,
        @Nullable String label,
        boolean handsOn,
        boolean shared,
        int permitsHeld,
        int permits) {}
