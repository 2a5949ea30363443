package dev.leasehold.simulation.history;

import java.util.Locale;

/**
 * One line of a history.
 *
 * @param at true time in ns
 * @param client the client, -1 for the server
 * @param op the acquisition, -1 if it concerns none
 * @param lock the name, empty if it concerns none
 * @param owner the named owner; empty if each acquisition is its own
 * @param token the fencing token, or the number of permits, or see {@link What}
 * @param until a moment in true time, or see {@link What}
 * @param note see {@link What}
 */
public record Entry(
        long at, int client, int op, What what, String lock, String owner, long token, long until, String note) {

    /** The prefix of locks with tokens. */
    public static final String LOCK = "lock-";

    /** The prefix of plain locks: they have no tokens, no queue, and no notes about released ids. */
    public static final String PLAIN = "plain-";

    /** The prefix of semaphores: they have no tokens; the number of permits takes the token's field. */
    public static final String PERMITS = "permits-";

    /** The prefix of latches. */
    public static final String LATCH = "latch-";

    private static final char ROUND = '/';

    /** The prefix of elections. */
    public static final String ELECTION = "election-";

    /** The note of the beginning of an acquisition of several locks. */
    public static final String TOGETHER = "together";

    /** The note of the release of a writer that becomes a reader. */
    public static final String DOWNGRADE = "downgrade";

    /** The number of permits of each semaphore. */
    public static final int ALL_PERMITS = 3;

    /** The owner of all readers. */
    public static final String READERS = "readers";

    /** The owner of all holders of permits. */
    public static final String HOLDERS = "holders";

    /** Creates an entry about nothing but a client. */
    public static Entry of(long at, int client, What what, long until, String note) {
        return new Entry(at, client, -1, what, "", "", 0, until, note);
    }

    /** Returns whether a lock of this name is a plain one. */
    public static boolean isPlain(String lock) {
        return lock.startsWith(PLAIN);
    }

    /** Returns whether this is the key of a lock, and not of anything else that clients store. */
    public static boolean isLock(String key) {
        return isPlain(key) || key.indexOf('{') >= 0;
    }

    /** Returns the name of the lock that has this key. */
    public static String lockOf(String key) {
        return isPlain(key) ? key : key.substring(key.indexOf('{') + 1, key.length() - 1);
    }

    /** Returns whether a lock of this name is a semaphore. */
    public static boolean isSemaphore(String lock) {
        return lock.startsWith(PERMITS);
    }

    /** Returns whether a lock of this name is neither a plain lock nor a semaphore. */
    public static boolean isOrdinary(String lock) {
        return !isPlain(lock) && !isSemaphore(lock);
    }

    /** Returns whether it concerns an election. */
    boolean ofElection() {
        return lock.startsWith(ELECTION);
    }

    /** Returns the name of a round, which is a latch of its own in a history. */
    public static String roundOf(String latch, String round) {
        return latch + ROUND + round;
    }

    /** Returns the name of the latch to which this name of a round belongs; empty if it is none of a round. */
    public static String latchOf(String round) {
        return round.substring(0, Math.max(0, round.indexOf(ROUND)));
    }

    /** Returns the number of a round of this name. */
    public static long numberOf(String round) {
        return Long.parseLong(round.substring(round.indexOf(ROUND) + 1));
    }

    /** Returns whether it concerns a latch. */
    boolean ofLatch() {
        return lock.startsWith(LATCH);
    }

    /** Returns whether it concerns a semaphore. */
    boolean ofPermits() {
        return isSemaphore(lock);
    }

    /** Returns whether it concerns a lock that has fencing tokens. */
    boolean hasTokens() {
        return !ofPlain() && !ofPermits();
    }

    /** Returns whether it concerns a plain lock. */
    boolean ofPlain() {
        return isPlain(lock);
    }

    /** Returns whether it is of one of these kinds. */
    public boolean is(What... those) {
        for (What one : those) {
            if (what == one) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether this fault concerns the lock: by its name, or because it concerns all. */
    boolean concerns(String name) {
        return lock.isEmpty() || lock.equals(name);
    }

    /** Returns whether both are the same owner's; a named owner may hold several times. */
    boolean sameOwner(Entry other) {
        return op == other.op || (!owner.isEmpty() && owner.equals(other.owner));
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%13.6f s  ", at / 1e9));
        line.append(client < 0 ? "server  " : "client " + client).append("  ").append(what);
        if (op >= 0) {
            line.append(" op ").append(op).append(" on ").append(lock);
        }
        if (!owner.isEmpty()) {
            line.append(" owner ").append(owner);
        }
        if (token != 0) {
            line.append(" token ").append(token);
        }
        if (until != 0) {
            line.append(String.format(Locale.ROOT, " until %.6f s", until / 1e9));
        }
        return note.isEmpty() ? line.toString() : line + " (" + note + ")";
    }
}
