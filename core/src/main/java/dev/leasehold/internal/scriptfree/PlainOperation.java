package dev.leasehold.internal.scriptfree;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.script.HolderText;
import dev.leasehold.internal.scriptfree.PlainDialogue.KeyState;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one request on one key of a plain lock. The answers are those of the scripts of plain locks.
 *
 * @param <A> the type of the answer
 */
sealed interface PlainOperation<A> {

    /** The answer to PTTL for a key that does not exist. A key may expire under the watch, which some servers do not notice. */
    long ABSENT = -2;

    /** The answer to PTTL for a key that never expires. */
    long ENDLESS = -1;

    /** The time reported for a key that never expires, in ms. */
    long FOR_EVER = 86_400_001;

    long NANOS_PER_MILLI = 1_000_000;

    /** Returns the answer if nothing needs to be changed or read again under the watch; otherwise null. */
    @Nullable
    A answer(KeyState state);

    /** Returns the commands of the transaction otherwise. */
    List<List<String>> act(String key, KeyState state);

    /** Returns the answer after the transaction; null if the key must be read again. */
    @Nullable
    A acted(KeyState state, List<?> results);

    static PlainOperation<AcquireHold.Answer> acquire(AcquireHold request) {
        return new Acquire(request.id(), expiry(request.lease()), request.notAfter(), request.holder());
    }

    static PlainOperation<RenewHold.Answer> renew(AcquisitionId id, LeaseSpan lease) {
        return new Renew(id, lease.equals(LeaseSpan.CONFIRM) ? 0 : expiry(lease));
    }

    /** Returns the expiry in ms that a key needs so that this time, rounded down to whole ms, can be reported. */
    private static long expiry(LeaseSpan lease) {
        return lease.nanos() / NANOS_PER_MILLI + 1;
    }

    /**
     * Returns the time to report for a remaining time in ms, in ns: one ms less, because the present ms has partly
     * passed.
     */
    private static long reported(long left) {
        return Math.max(0, (left == ENDLESS ? FOR_EVER : left) - 1) * NANOS_PER_MILLI;
    }

    /** Returns the remaining time in ms from the last result, which is that of PTTL. */
    private static long left(List<?> results) {
        return PlainDialogue.number(results.get(results.size() - 1));
    }

    /** Acquires the key if it is free. */
    record Acquire(AcquisitionId id, long expiry, ServerTime notAfter, Holder holder)
            implements PlainOperation<AcquireHold.Answer> {

        @Override
        public AcquireHold.@Nullable Answer answer(KeyState state) {
            if (state.found() != null) {
                return answer(AcquireHold.Code.FOREIGN, state, 0, state.found());
            }
            if (state.now().micros() > notAfter.micros()) {
                return answer(AcquireHold.Code.STALE, state, 0, "");
            }
            return state.value() == null || state.isOf(id)
                    ? null
                    : answer(AcquireHold.Code.BUSY, state, reported(state.left()), "");
        }

        private static AcquireHold.Answer answer(AcquireHold.Code code, KeyState state, long leftNanos, String found) {
            return new AcquireHold.Answer(code, state.now(), leftNanos, 0, found);
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            List<String> read = List.of("PTTL", key);
            String millis = Long.toString(expiry);
            if (state.value() == null) {
                return List.of(List.of("SET", key, value(state.now()), "NX", "PX", millis), read);
            }
            return state.left() < 0 ? List.of(List.of("PEXPIRE", key, millis), read) : List.of(read);
        }

        /** The first line of a value names the holder, the rest is its label. */
        private String value(ServerTime now) {
            String line = holder.who().replace('\n', ' ');
            return String.format(Locale.ROOT, "%s %016d %s\n%s", id.value(), now.micros(), line, holder.label());
        }

        @Override
        public AcquireHold.@Nullable Answer acted(KeyState state, List<?> results) {
            long left = left(results);
            return results.get(0) == null || left == ABSENT
                    ? null
                    : answer(AcquireHold.Code.GRANTED, state, reported(left), "");
        }
    }

    /** Extends a hold to at least this time from now; 0 only confirms the hold. */
    record Renew(AcquisitionId id, long expiry) implements PlainOperation<RenewHold.Answer> {

        @Override
        public RenewHold.@Nullable Answer answer(KeyState state) {
            if (state.found() != null) {
                return new RenewHold.Answer(RenewHold.Code.FOREIGN, state.now(), 0, state.found());
            }
            return state.isOf(id)
                    ? null
                    : new RenewHold.Answer(
                            RenewHold.Code.GONE, state.now(), 0, state.value() == null ? "free" : "taken");
        }

        /** A later expiry stays; an expiry that was removed is set again. */
        @Override
        public List<List<String>> act(String key, KeyState state) {
            List<String> read = List.of("PTTL", key);
            return expiry > state.left() && expiry > 0
                    ? List.of(List.of("PEXPIRE", key, Long.toString(expiry)), read)
                    : List.of(read);
        }

        @Override
        public RenewHold.@Nullable Answer acted(KeyState state, List<?> results) {
            long left = left(results);
            return left == ABSENT
                    ? null
                    : new RenewHold.Answer(RenewHold.Code.RENEWED, state.now(), reported(left), "");
        }
    }

    /**
     * Deletes the key if this acquisition holds it. A free key is written and deleted in one step, which is not
     * observable: this change invalidates the delayed transaction of an abandoned acquire of the same lease.
     */
    record Release(AcquisitionId id) implements PlainOperation<ReleaseHold.Answer> {

        @Override
        public ReleaseHold.@Nullable Answer answer(KeyState state) {
            if (state.found() != null) {
                return new ReleaseHold.Answer(ReleaseHold.Code.FOREIGN, state.now(), state.found());
            }
            return state.value() == null || state.isOf(id)
                    ? null
                    : new ReleaseHold.Answer(ReleaseHold.Code.GONE, state.now(), "taken");
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            List<String> delete = List.of("DEL", key);
            return state.value() == null
                    ? List.of(List.of("SET", key, id.value(), "PX", "1"), delete)
                    : List.of(delete);
        }

        @Override
        public ReleaseHold.Answer acted(KeyState state, List<?> results) {
            return state.value() == null
                    ? new ReleaseHold.Answer(ReleaseHold.Code.GONE, state.now(), "free")
                    : new ReleaseHold.Answer(ReleaseHold.Code.RELEASED, state.now(), "");
        }
    }

    /** Deletes the key, whatever its holder. */
    record Delete() implements PlainOperation<ForceRelease.Answer> {

        @Override
        public ForceRelease.@Nullable Answer answer(KeyState state) {
            if (state.found() != null) {
                return new ForceRelease.Answer(ForceRelease.Code.FOREIGN, state.now(), state.found());
            }
            return state.value() == null ? new ForceRelease.Answer(ForceRelease.Code.FREE, state.now(), "") : null;
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            return List.of(List.of("DEL", key));
        }

        @Override
        public ForceRelease.Answer acted(KeyState state, List<?> results) {
            return new ForceRelease.Answer(ForceRelease.Code.FREED, state.now(), "");
        }
    }

    /** Changes nothing. */
    record Inspect() implements PlainOperation<InspectLock.Answer> {

        @Override
        public InspectLock.Answer answer(KeyState state) {
            if (state.found() != null) {
                return new InspectLock.Answer(
                        InspectLock.Code.FOREIGN, state.now(), InspectLock.State.FREE, state.found());
            }
            return state.value() == null
                    ? new InspectLock.Answer(InspectLock.Code.LOCK, state.now(), InspectLock.State.FREE, "")
                    : HolderText.of(state.value()).answer(state.now(), reported(state.left()), 0);
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            throw new IllegalStateException("an inspection changes nothing");
        }

        @Override
        public InspectLock.Answer acted(KeyState state, List<?> results) {
            throw new IllegalStateException("an inspection changes nothing");
        }
    }
}
