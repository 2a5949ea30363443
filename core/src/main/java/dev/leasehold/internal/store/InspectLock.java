package dev.leasehold.internal.store;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a lock without changing it. */
public record InspectLock(LockKey key, long timeoutNanos) implements LockRequest<InspectLock.Answer> {

    @Override
    public boolean inspects() {
        return true;
    }

    /** Whether the key may be that of a lock, or holds other data. */
    public enum Code {
        LOCK,
        FOREIGN
    }

    /** The answer. What does not belong to the code is free or empty. */
    public record Answer(Code code, ServerTime now, State state, String found) implements StoreAnswer {}

    /** Reads several locks, at least two, which one call may reach. */
    public record Many(List<LockKey> keys, long timeoutNanos) implements LockRequest<Many.Answers> {

        /** The answer about each lock, in the order of the request. */
        public record Answers(ServerTime now, List<Answer> each) implements StoreAnswer {}

        @Override
        public LockKey key() {
            return keys.get(0);
        }

        @Override
        public boolean inspects() {
            return true;
        }
    }

    /**
     * The state of a lock.
     *
     * @param owner the owner of all holds; null if the key contains none
     * @param holds the live holds, the oldest first
     * @param token the fencing token of the holders, or the last one
     * @param handsOff whether the holder's process may hand off the lock to its own waiters
     * @param retained whether the client of the holder retains it, and may not use it
     * @param permits the number of permits of the semaphore; 0 if no client has set it
     * @param permitsChanged whether that number was changed; then it counts, whatever number a client passes
     * @param waiters the positions in the queue, the first one first
     * @param problem what could not be read, and is missing here, for people; empty if all was read
     */
    public record State(
            @Nullable OwnerKey owner,
            List<Hold> holds,
            long token,
            boolean handsOff,
            boolean retained,
            int permits,
            boolean permitsChanged,
            List<Waiting> waiters,
            String problem) {

        /** The state of a lock that has no hold. */
        public static final State FREE = new State(null, List.of(), 0, false, false, 0, false, List.of(), "");

        /** Returns whether readers hold it. */
        public boolean heldByReaders() {
            return isHeldAs(OwnerKey.READERS);
        }

        /** Returns whether holders of permits hold it. */
        public boolean heldAsPermits() {
            return isHeldAs(OwnerKey.PERMITS);
        }

        private boolean isHeldAs(String field) {
            return !holds.isEmpty() && owner != null && owner.field().equals(field);
        }
    }

    /**
     * A live hold.
     *
     * @param self the owner that the hold is by itself, without a common owner
     * @param since the time when it began, by the clock of the server; null if that is not known
     * @param leftNanos how long until it ends
     * @param permits the number of permits that it has; 1 for a lock
     */
    public record Hold(OwnerKey self, @Nullable Instant since, long leftNanos, int permits, Holder holder) {}

    /**
     * A position in the queue.
     *
     * @param reads whether it waits to read
     * @param permits the number of permits that it waits for; 0 for a lock
     * @param alive whether it has had a heartbeat within the timeout
     * @param since the time when it was taken, by the clock of the server; null if its client does not tell
     * @param holder who waits, without a label; empty if its client does not tell
     * @param owner the named owner; null if there is none
     */
    public record Waiting(
            boolean reads,
            int permits,
            boolean alive,
            @Nullable Instant since,
            Holder holder,
            @Nullable OwnerKey owner) {}
}
