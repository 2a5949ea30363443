package dev.leasehold.inspect;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A position in the queue of a lock, as Redis saw it at one moment. A client has one position for all its callers that wait for
 * the lock, and tells of the first of them; in a fair queue each caller has its own. Callers that only poll, without
 * wake-ups, have no position.
 *
 * <p>Immutable; two with the same values are equal. Applications build one for tests only.
 */
public final class WaiterInfo {

    private final Values values;

    private record Values(
            int position,
            Wants wants,
            int permits,
            @Nullable String owner,
            String host,
            long pid,
            String thread,
            @Nullable Instant since,
            boolean alive) {}

    private WaiterInfo(Values values) {
        this.values = values;
    }

    /** What a caller waits for. */
    public enum Wants {
        /** The lock, which it shares with nobody. */
        LOCK,
        /** The lock to read, which it shares with other readers. */
        READ,
        /** Permits of a semaphore. */
        PERMITS
    }

    /**
     * Begins with a waiter that is alive, and of which nothing else is known.
     *
     * @param position its position in the queue; 1 is the next to have the lock
     * @param wants what it waits for
     * @param permits the number of permits it waits for; 0 for a lock
     * @return a new builder
     */
    public static Builder builder(int position, Wants wants, int permits) {
        return new Builder(
                new Values(position, Objects.requireNonNull(wants, "wants"), permits, null, "", 0, "", null, true));
    }

    /**
     * Begins with these values.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** {@return its position in the queue; 1 is the next to have the lock} */
    public int position() {
        return values.position;
    }

    /** {@return what it waits for} */
    public Wants wants() {
        return values.wants;
    }

    /** {@return the number of permits it waits for; 0 for a lock} */
    public int permits() {
        return values.permits;
    }

    /** {@return the named owner, its hash if the name is longer than 44 bytes; null if the caller named none} */
    @Nullable
    public String owner() {
        return values.owner;
    }

    /** {@return the host name of its process; empty if its client does not tell} */
    public String host() {
        return values.host;
    }

    /** {@return the process id; 0 if its client does not tell} */
    public long pid() {
        return values.pid;
    }

    /** {@return the name of the thread that waits, or that began to wait; empty if its client does not tell} */
    public String thread() {
        return values.thread;
    }

    /** {@return when it took its position, by the clock of Redis; null if its client does not tell} */
    @Nullable
    public Instant since() {
        return values.since;
    }

    /** {@return whether its client has polled within the last 7 s; a dead waiter loses its position once it is the first} */
    public boolean alive() {
        return values.alive;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WaiterInfo info && values.equals(info.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "WaiterInfo"
                + values.toString().substring(Values.class.getSimpleName().length());
    }

    /** Collects the values, which {@link WaiterInfo} describes. Not safe for use by several threads. */
    public static final class Builder {
        private final Values from;
        private @Nullable String owner;
        private String host;
        private long pid;
        private String thread;
        private @Nullable Instant since;
        private boolean alive;

        private Builder(Values from) {
            this.from = from;
            owner = from.owner;
            host = from.host;
            pid = from.pid;
            thread = from.thread;
            since = from.since;
            alive = from.alive;
        }

        /**
         * Sets the named owner.
         *
         * @param name as {@link WaiterInfo#owner}
         * @return this
         */
        public Builder owner(@Nullable String name) {
            owner = name;
            return this;
        }

        /**
         * Sets where it waits.
         *
         * @param hostName as {@link WaiterInfo#host}
         * @param processId as {@link WaiterInfo#pid}
         * @param threadName as {@link WaiterInfo#thread}
         * @return this
         */
        public Builder process(String hostName, long processId, String threadName) {
            host = Objects.requireNonNull(hostName, "hostName");
            pid = processId;
            thread = Objects.requireNonNull(threadName, "threadName");
            return this;
        }

        /**
         * Sets since when it waits.
         *
         * @param began as {@link WaiterInfo#since}
         * @return this
         */
        public Builder since(@Nullable Instant began) {
            since = began;
            return this;
        }

        /**
         * Sets whether it has polled lately.
         *
         * @param polls as {@link WaiterInfo#alive}
         * @return this
         */
        public Builder alive(boolean polls) {
            alive = polls;
            return this;
        }

        /**
         * Builds it.
         *
         * @return with these values
         */
        public WaiterInfo build() {
            return new WaiterInfo(
                    new Values(from.position, from.wants, from.permits, owner, host, pid, thread, since, alive));
        }
    }
}
