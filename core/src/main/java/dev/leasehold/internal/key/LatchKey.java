package dev.leasehold.internal.key;

/**
 * What a call of a latch concerns: a latch without rounds, one round of a latch, or whatever is there.
 *
 * @param key the key of the latch, one for all of its rounds
 * @param round the number of the round; empty for a latch without rounds, {@code *} for either kind
 */
public record LatchKey(LockKey key, String round) {

    private static final String ANY = "*";

    /** A latch without rounds. */
    public LatchKey(LockKey key) {
        this(key, "");
    }

    /** Returns one round of the latch. */
    public LatchKey round(long number) {
        return new LatchKey(key, Long.toString(number));
    }

    /** Returns what is there, whether or not it has rounds: to show it. */
    public static LatchKey any(LockKey key) {
        return new LatchKey(key, ANY);
    }

    /** Returns whether it concerns a latch with rounds, or may. */
    public boolean hasRound() {
        return !round.isEmpty();
    }

    /** Returns the name of the latch as given by the caller. */
    public String name() {
        return key.name();
    }

    /** Returns the latch and its round for messages, the name quoted and escaped. */
    public String shown() {
        return round.isEmpty() ? "latch " + key.shown() : "round " + round + " of latch " + key.shown();
    }

    @Override
    public String toString() {
        return shown();
    }
}
