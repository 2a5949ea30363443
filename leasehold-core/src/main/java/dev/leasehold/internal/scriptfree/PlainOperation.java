package dev.leasehold.internal.scriptfree;

import dev.leasehold.internal.script.PlainScripts;
import dev.leasehold.internal.scriptfree.PlainDialogue.Look;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one of the scripts of plain locks does to one key. Each answers in the words of its script, whose header says what
 * they mean.
 */
sealed interface PlainOperation {

    /** The longest time that is told of a key: one that never expires has no end of its own. */
    long FOR_EVER = 86_400_001;

    /** The answer, if nothing is to be changed, nor to be read again under the watch; else null. */
    @Nullable
    List<String> answer(Look look);

    /** What to do otherwise, in a transaction. */
    List<List<String>> act(String key, Look look);

    /** The answer when that was done; null if it must be looked at again. */
    @Nullable
    List<String> acted(Look look, List<?> results);

    /**
     * The operation of a script for one of the keys of a call.
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

    /** For how many ms a key must last so that so many microseconds may be told, but for what they are more than whole ms. */
    private static long whole(String micros) {
        return Long.parseLong(micros) / 1000 + 1;
    }

    /** What may be told of so many ms, in microseconds: the present ms is over in part. */
    private static String told(long left) {
        return Long.toString(Math.max(0, (left == -1 ? FOR_EVER : left) - 1) * 1000);
    }

    private static @Nullable List<String> lasting(String outcome, Look look, List<?> results) {
        long left = PlainDialogue.number(results.get(results.size() - 1));
        // It ended in between: some servers do not count that as a change.
        return left == -2 ? null : List.of(outcome, look.now(), told(left));
    }

    private static List<String> foreign(Look look, String found) {
        return List.of("foreign", look.now(), found);
    }

    /** Takes the key if it is free. */
    record Acquire(String id, long lease, long notAfter, String who, String label) implements PlainOperation {

        @Override
        public @Nullable List<String> answer(Look look) {
            if (look.found() != null) {
                return foreign(look, look.found());
            }
            if (Long.parseLong(look.now()) > notAfter) {
                return List.of("stale", look.now());
            }
            return look.value() == null || look.isOf(id) ? null : List.of("busy", look.now(), told(look.left()));
        }

        @Override
        public List<List<String>> act(String key, Look look) {
            List<String> read = List.of("PTTL", key);
            if (look.value() == null) {
                String value = id + " " + look.now() + " " + who + "\n" + label;
                return List.of(List.of("SET", key, value, "NX", "PX", Long.toString(lease)), read);
            }
            return look.left() < 0 ? List.of(List.of("PEXPIRE", key, Long.toString(lease)), read) : List.of(read);
        }

        @Override
        public @Nullable List<String> acted(Look look, List<?> results) {
            return results.get(0) == null ? null : lasting("granted", look, results);
        }
    }

    /** Makes a hold last for so long from now, at least; with 0 it only confirms it. */
    record Renew(String id, long lease) implements PlainOperation {

        @Override
        public @Nullable List<String> answer(Look look) {
            if (look.found() != null) {
                return foreign(look, look.found());
            }
            return look.isOf(id) ? null : List.of("gone", look.now(), look.value() == null ? "free" : "taken");
        }

        /** An end that lies later stays; one that somebody has removed is set again. */
        @Override
        public List<List<String>> act(String key, Look look) {
            List<String> read = List.of("PTTL", key);
            return lease > look.left() && lease > 0
                    ? List.of(List.of("PEXPIRE", key, Long.toString(lease)), read)
                    : List.of(read);
        }

        @Override
        public @Nullable List<String> acted(Look look, List<?> results) {
            return lasting("renewed", look, results);
        }
    }

    /**
     * Deletes the key if it is held by this acquisition. A key that is free is written and deleted in one step, which nobody
     * sees: an acquire of the same lease that was given up, and is still on its way behind a look, is refused by that.
     */
    record Release(String id) implements PlainOperation {

        @Override
        public @Nullable List<String> answer(Look look) {
            if (look.found() != null) {
                return foreign(look, look.found());
            }
            return look.value() == null || look.isOf(id) ? null : List.of("gone", look.now(), "taken");
        }

        @Override
        public List<List<String>> act(String key, Look look) {
            List<String> delete = List.of("DEL", key);
            return look.value() == null ? List.of(List.of("SET", key, id, "PX", "1"), delete) : List.of(delete);
        }

        @Override
        public List<String> acted(Look look, List<?> results) {
            return look.value() == null ? List.of("gone", look.now(), "free") : List.of("released", look.now());
        }
    }

    /** Deletes the key, whoever has it. */
    record ForceRelease() implements PlainOperation {

        @Override
        public @Nullable List<String> answer(Look look) {
            if (look.found() != null) {
                return foreign(look, look.found());
            }
            return look.value() == null ? List.of("free", look.now()) : null;
        }

        @Override
        public List<List<String>> act(String key, Look look) {
            return List.of(List.of("DEL", key));
        }

        @Override
        public List<String> acted(Look look, List<?> results) {
            return List.of("freed", look.now());
        }
    }

    /** Changes nothing. */
    record Inspect() implements PlainOperation {

        @Override
        public List<String> answer(Look look) {
            if (look.found() != null) {
                return foreign(look, look.found());
            }
            return look.value() == null
                    ? List.of("free", look.now())
                    : List.of("held", look.now(), look.value(), told(look.left()));
        }

        @Override
        public List<List<String>> act(String key, Look look) {
            throw new IllegalStateException("an inspection changes nothing");
        }

        @Override
        public List<String> acted(Look look, List<?> results) {
            throw new IllegalStateException("an inspection changes nothing");
        }
    }
}
