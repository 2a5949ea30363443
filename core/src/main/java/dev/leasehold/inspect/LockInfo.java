package dev.leasehold.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a lock, as Redis saw it at one moment. If one named owner has several holds, host, pid, thread, since
 * and label are those of the oldest hold. The same applies to readers and to holders of permits, each of which is its
 * own owner; readers of one process share one hold.
 *
 * <p>A process hands off a lock to its own waiters without a request to Redis. While it may do so ({@code handsOff}),
 * owner, thread, since and label are those of the first lease of the series of hand-offs, and the token is the first of
 * the tokens reserved for it. Only the process itself knows which of its callers holds the lock at the moment.
 *
 * <p>If another library holds a plain lock, only the value under its key is known; its first characters are reported as
 * the owner.
 *
 * <p>Immutable; two with the same values are equal. Applications build one for tests only.
 */
public final class LockInfo {

    private final Values values;

    private record Values(
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
            boolean handsOff,
            boolean retained,
            boolean shared,
            int permitsHeld,
            int permits,
            List<WaiterInfo> waiters,
            @Nullable String problem) {}

    private LockInfo(Values values) {
        this.values = values;
    }

    /**
     * Begins with a lock of which nothing but the name is known.
     *
     * @param name the lock
     * @return a new builder
     */
    public static Builder builder(String name) {
        return new Builder(new Values(
                Objects.requireNonNull(name, "name"),
                "",
                false,
                "",
                0,
                "",
                null,
                Duration.ZERO,
                0,
                0,
                null,
                false,
                false,
                false,
                0,
                0,
                List.of(),
                null));
    }

    /**
     * Begins with these values.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** {@return the lock} */
    public String name() {
        return values.name;
    }

    /** {@return the named owner, its hash if the name is longer than 44 bytes, or the first characters of the acquisition id} */
    public String owner() {
        return values.owner;
    }

    /** {@return whether the owner was named by the caller} */
    public boolean ownerNamed() {
        return values.ownerNamed;
    }

    /** {@return the host name of the holder's process; empty if another library holds a plain lock} */
    public String host() {
        return values.host;
    }

    /** {@return the process id of the holder; 0 if another library holds a plain lock} */
    public long pid() {
        return values.pid;
    }

    /** {@return the name of the thread that acquired; empty if another library holds a plain lock} */
    public String thread() {
        return values.thread;
    }

    /** {@return the time when the hold began, by the clock of Redis; null if another library holds a plain lock} */
    @Nullable
    public Instant since() {
        return values.since;
    }

    /** {@return how long until the last hold ends, without another renewal; a day for a plain lock whose key never expires} */
    public Duration left() {
        return values.left;
    }

    /** {@return the token of the holders; 0 for permits, and for a lock whose format has no tokens} */
    public long fencingToken() {
        return values.fencingToken;
    }

    /** {@return the number of live holds} */
    public int count() {
        return values.count;
    }

    /** {@return the label given with the options, or null} */
    @Nullable
    public String label() {
        return values.label;
    }

    /** {@return whether the holder's process may hand off the lock to its own waiters} */
    public boolean handsOff() {
        return values.handsOff;
    }

    /** {@return whether the holder's client retains the lock between two uses ({@code LockOptions.retainFor}): then nobody may use it at the moment, and the client releases it when another client asks for it; only that client knows whether it is in use} */
    public boolean retained() {
        return values.retained;
    }

    /** {@return whether the holders are readers, which share the lock} */
    public boolean shared() {
        return values.shared;
    }

    /** {@return the number of permits that the holders have; 0 for a lock} */
    public int permitsHeld() {
        return values.permitsHeld;
    }

    /** {@return the number of permits of the semaphore; 0 for a lock} */
    public int permits() {
        return values.permits;
    }

    /** {@return the queue of the lock, the next one first; empty for a plain lock, which has no queue} */
    public List<WaiterInfo> waiters() {
        return values.waiters;
    }

    /** {@return what is missing here, for people, with control characters escaped: entries in Redis that cannot be read, because another program wrote them, or more entries than an inspection reads; null if everything was read} */
    @Nullable
    public String problem() {
        return values.problem;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockInfo info && values.equals(info.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "LockInfo"
                + values.toString().substring(Values.class.getSimpleName().length());
    }

    /** Collects the values, which {@link LockInfo} describes. Not safe for use by several threads. */
    public static final class Builder {
        private String name;
        private String owner;
        private boolean ownerNamed;
        private String host;
        private long pid;
        private String thread;
        private @Nullable Instant since;
        private Duration left;
        private long fencingToken;
        private int count;
        private @Nullable String label;
        private boolean handsOff;
        private boolean retained;
        private boolean shared;
        private int permitsHeld;
        private int permits;
        private List<WaiterInfo> waiters;
        private @Nullable String problem;

        private Builder(Values from) {
            name = from.name;
            owner = from.owner;
            ownerNamed = from.ownerNamed;
            host = from.host;
            pid = from.pid;
            thread = from.thread;
            since = from.since;
            left = from.left;
            fencingToken = from.fencingToken;
            count = from.count;
            label = from.label;
            handsOff = from.handsOff;
            retained = from.retained;
            shared = from.shared;
            permitsHeld = from.permitsHeld;
            permits = from.permits;
            waiters = from.waiters;
            problem = from.problem;
        }

        /**
         * Sets who owns it.
         *
         * @param text as {@link LockInfo#owner}
         * @param named as {@link LockInfo#ownerNamed}
         * @return this
         */
        public Builder owner(String text, boolean named) {
            owner = Objects.requireNonNull(text, "text");
            ownerNamed = named;
            return this;
        }

        /**
         * Sets where the holder runs.
         *
         * @param hostName as {@link LockInfo#host}
         * @param processId as {@link LockInfo#pid}
         * @param threadName as {@link LockInfo#thread}
         * @return this
         */
        public Builder process(String hostName, long processId, String threadName) {
            host = Objects.requireNonNull(hostName, "hostName");
            pid = processId;
            thread = Objects.requireNonNull(threadName, "threadName");
            return this;
        }

        /**
         * Sets since when and for how long it is held.
         *
         * @param began as {@link LockInfo#since}
         * @param remaining as {@link LockInfo#left}
         * @return this
         */
        public Builder times(@Nullable Instant began, Duration remaining) {
            since = began;
            left = Objects.requireNonNull(remaining, "remaining");
            return this;
        }

        /**
         * Sets the live holds.
         *
         * @param token as {@link LockInfo#fencingToken}
         * @param number as {@link LockInfo#count}
         * @return this
         */
        public Builder holds(long token, int number) {
            fencingToken = token;
            count = number;
            return this;
        }

        /**
         * Sets the label.
         *
         * @param text as {@link LockInfo#label}
         * @return this
         */
        public Builder label(@Nullable String text) {
            label = text;
            return this;
        }

        /**
         * Sets whether it is handed off within a process.
         *
         * @param may as {@link LockInfo#handsOff}
         * @return this
         */
        public Builder handsOff(boolean may) {
            handsOff = may;
            return this;
        }

        /**
         * Sets whether it is retained.
         *
         * @param between as {@link LockInfo#retained}
         * @return this
         */
        public Builder retained(boolean between) {
            retained = between;
            return this;
        }

        /**
         * Sets whether readers share it.
         *
         * @param readers as {@link LockInfo#shared}
         * @return this
         */
        public Builder shared(boolean readers) {
            shared = readers;
            return this;
        }

        /**
         * Sets the permits of a semaphore.
         *
         * @param heldNow as {@link LockInfo#permitsHeld}
         * @param all as {@link LockInfo#permits}
         * @return this
         */
        public Builder permits(int heldNow, int all) {
            permitsHeld = heldNow;
            permits = all;
            return this;
        }

        /**
         * Sets the queue.
         *
         * @param queue as {@link LockInfo#waiters}
         * @return this
         */
        public Builder waiters(List<WaiterInfo> queue) {
            waiters = List.copyOf(queue);
            return this;
        }

        /**
         * Sets what could not be read.
         *
         * @param text as {@link LockInfo#problem}
         * @return this
         */
        public Builder problem(@Nullable String text) {
            problem = text;
            return this;
        }

        /**
         * Builds it.
         *
         * @return with these values
         */
        public LockInfo build() {
            return new LockInfo(new Values(
                    name,
                    owner,
                    ownerNamed,
                    host,
                    pid,
                    thread,
                    since,
                    left,
                    fencingToken,
                    count,
                    label,
                    handsOff,
                    retained,
                    shared,
                    permitsHeld,
                    permits,
                    waiters,
                    problem));
        }
    }
}
