package dev.leasehold.internal.scriptfree;

import dev.leasehold.internal.script.PlainScripts;
import dev.leasehold.internal.scriptfree.PlainDialogue.KeyState;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The effect of one plain-lock script on one key. Replies are those of the script, as documented in its header. */
sealed interface PlainOperation {

    /** The time reported for a key that never expires, in ms. */
    long FOR_EVER = 86_400_001;

    /** Returns the reply if nothing needs to be changed or read again under the watch; otherwise null. */
    @Nullable
    List<String> answer(KeyState state);

    /** Returns the commands of the transaction otherwise. */
    List<List<String>> act(String key, KeyState state);

    /** Returns the reply after the transaction; null if the key must be read again. */
    @Nullable
    List<String> acted(KeyState state, List<?> results);

    /**
     * Returns the operation of a script for one of the keys of a call.
     *
     * @throws UnsupportedOperationException if it is a script of other locks
     */
    static PlainOperation of(ScriptCall call, int key) {
        Script script = call.script();
        List<String> args = call.args();
        if (script.equals(PlainScripts.ACQUIRE)) {
            return new Acquire(args.get(0), whole(args.get(1)), Long.parseLong(args.get(2)), args.get(3), args.get(4));
        }
        if (script.equals(PlainScripts.RENEW)) {
            return renew(args.get(0), args.get(1));
        }
        if (script.equals(PlainScripts.RENEW_MANY)) {
            return renew(args.get(key + 1), args.get(0));
        }
        if (script.equals(PlainScripts.RELEASE)) {
            return new Release(args.get(0));
        }
        if (script.equals(PlainScripts.FORCE_RELEASE)) {
            return new ForceRelease();
        }
        if (script.equals(PlainScripts.INSPECT)) {
            return new Inspect();
        }
        throw new UnsupportedOperationException(
                "script " + script.name() + " cannot be done without scripts: only those of plain locks can");
    }

    private static PlainOperation renew(String id, String lease) {
        return new Renew(id, lease.equals("0") ? 0 : whole(lease));
    }

    /** Returns the expiry in ms that a key needs so that this time, rounded down to whole ms, can be reported. */
    private static long whole(String micros) {
        return Long.parseLong(micros) / 1000 + 1;
    }

    /**
     * Returns the time to report for a remaining time in ms, in microseconds: one ms less, because the present ms has
     * partly passed.
     */
    private static String reported(long left) {
        return Long.toString(Math.max(0, (left == -1 ? FOR_EVER : left) - 1) * 1000);
    }

    private static @Nullable List<String> lasting(String outcome, KeyState state, List<?> results) {
        long left = PlainDialogue.number(results.get(results.size() - 1));
        // The key expired in between, which some servers do not treat as a change.
        return left == -2 ? null : List.of(outcome, state.now(), reported(left));
    }

    private static List<String> foreign(KeyState state, String found) {
        return List.of("foreign", state.now(), found);
    }

    /** Acquires the key if it is free. */
    record Acquire(String id, long lease, long notAfter, String holder, String label) implements PlainOperation {

        @Override
        public @Nullable List<String> answer(KeyState state) {
            if (state.found() != null) {
                return foreign(state, state.found());
            }
            if (Long.parseLong(state.now()) > notAfter) {
                return List.of("stale", state.now());
            }
            return state.value() == null || state.isOf(id)
                    ? null
                    : List.of("busy", state.now(), reported(state.left()));
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            List<String> read = List.of("PTTL", key);
            if (state.value() == null) {
                String value = id + " " + state.now() + " " + holder + "\n" + label;
                return List.of(List.of("SET", key, value, "NX", "PX", Long.toString(lease)), read);
            }
            return state.left() < 0 ? List.of(List.of("PEXPIRE", key, Long.toString(lease)), read) : List.of(read);
        }

        @Override
        public @Nullable List<String> acted(KeyState state, List<?> results) {
            return results.get(0) == null ? null : lasting("granted", state, results);
        }
    }

    /** Extends a hold to at least this time from now; 0 only confirms the hold. */
    record Renew(String id, long lease) implements PlainOperation {

        @Override
        public @Nullable List<String> answer(KeyState state) {
            if (state.found() != null) {
                return foreign(state, state.found());
            }
            return state.isOf(id) ? null : List.of("gone", state.now(), state.value() == null ? "free" : "taken");
        }

        /** A later expiry stays; an expiry that was removed is set again. */
        @Override
        public List<List<String>> act(String key, KeyState state) {
            List<String> read = List.of("PTTL", key);
            return lease > state.left() && lease > 0
                    ? List.of(List.of("PEXPIRE", key, Long.toString(lease)), read)
                    : List.of(read);
        }

        @Override
        public @Nullable List<String> acted(KeyState state, List<?> results) {
            return lasting("renewed", state, results);
        }
    }

    /**
     * Deletes the key if this acquisition holds it. A free key is written and deleted in one step, which is not
     * observable: this change invalidates the delayed transaction of an abandoned acquire of the same lease.
     */
    record Release(String id) implements PlainOperation {

        @Override
        public @Nullable List<String> answer(KeyState state) {
            if (state.found() != null) {
                return foreign(state, state.found());
            }
            return state.value() == null || state.isOf(id) ? null : List.of("gone", state.now(), "taken");
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            List<String> delete = List.of("DEL", key);
            return state.value() == null ? List.of(List.of("SET", key, id, "PX", "1"), delete) : List.of(delete);
        }

        @Override
        public List<String> acted(KeyState state, List<?> results) {
            return state.value() == null ? List.of("gone", state.now(), "free") : List.of("released", state.now());
        }
    }

    /** Deletes the key, whatever its holder. */
    record ForceRelease() implements PlainOperation {

        @Override
        public @Nullable List<String> answer(KeyState state) {
            if (state.found() != null) {
                return foreign(state, state.found());
            }
            return state.value() == null ? List.of("free", state.now()) : null;
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            return List.of(List.of("DEL", key));
        }

        @Override
        public List<String> acted(KeyState state, List<?> results) {
            return List.of("freed", state.now());
        }
    }

    /** Changes nothing. */
    record Inspect() implements PlainOperation {

        @Override
        public List<String> answer(KeyState state) {
            if (state.found() != null) {
                return foreign(state, state.found());
            }
            return state.value() == null
                    ? List.of("free", state.now())
                    : List.of("held", state.now(), state.value(), reported(state.left()));
        }

        @Override
        public List<List<String>> act(String key, KeyState state) {
            throw new IllegalStateException("an inspection changes nothing");
        }

        @Override
        public List<String> acted(KeyState state, List<?> results) {
            throw new IllegalStateException("an inspection changes nothing");
        }
    }
}
