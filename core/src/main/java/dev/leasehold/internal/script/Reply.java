package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.ServerTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads the flat list of strings that a script returns. */
final class Reply {

    /** The words of each type of codes. */
    private static final ClassValue<Map<String, Object>> CODES = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            return Arrays.stream(type.getEnumConstants())
                    .collect(Collectors.toMap(code -> ((Enum<?>) code).name().toLowerCase(Locale.ROOT), code -> code));
        }
    };

    private static final Pattern CODE = Pattern.compile("[a-z0-9_ ]{1,20}");
    private static final long A_YEAR_MICROS = 366L * 24 * 60 * 60 * 1_000_000;
    private static final int DIGITS_OF_A_YEAR = 14;

    private Reply() {}

    static <C extends Enum<C>> C code(Class<C> codes, List<String> reply) {
        return code(codes, reply.isEmpty() ? "" : reply.get(0));
    }

    static <C extends Enum<C>> C code(Class<C> codes, String word) {
        Object code = CODES.get(codes).get(word);
        if (code == null) {
            throw unknown(word);
        }
        return codes.cast(code);
    }

    /** Returns the failure for a word of another version. A server that repeats what it was sent may answer an id, which is longer than a code. */
    static IllegalStateException unknown(String word) {
        String shown = CODE.matcher(word).matches() ? "'" + word + "'" : "something";
        return new IllegalStateException("a script answered " + shown + ", which this version does not know");
    }

    /** Reads the result for one entry; if that cannot be read, the other entries still can. */
    static <A> EntryResult<A> entry(Supplier<A> reading) {
        try {
            return EntryResult.of(reading.get());
        } catch (RuntimeException e) {
            return EntryResult.failed(AnswerFuture.unreadable(e));
        }
    }

    static ServerTime now(List<String> reply) {
        return new ServerTime(Long.parseLong(reply.get(1)));
    }

    static long number(List<String> reply, int at) {
        return reply.size() > at ? Long.parseLong(reply.get(at)) : 0;
    }

    /** Reads microseconds as nanoseconds. */
    static long nanos(List<String> reply, int at) {
        return nanos(text(reply, at));
    }

    /** Reads microseconds as nanoseconds, none if there is no text. A hold that others wrote may have any length; none lasts longer than a year. */
    static long nanos(String micros) {
        if (micros.isEmpty()) {
            return 0;
        }
        long read = micros.length() > DIGITS_OF_A_YEAR ? A_YEAR_MICROS : Long.parseLong(micros);
        return Math.min(read, A_YEAR_MICROS) * 1000;
    }

    static String text(List<String> reply, int at) {
        return reply.size() > at ? reply.get(at) : "";
    }
}
