package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.ServerTime;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Reads the flat list of strings that a script returns. */
final class Reply {

    private Reply() {}

    /** Returns the parts of a reply, of which a script may also make one text, with blanks between: Redis sends it faster. */
    static List<String> parts(List<String> reply) {
        return reply.size() == 1 ? List.of(reply.get(0).split(" ")) : reply;
    }

    static <C extends Enum<C>> C code(Class<C> codes, List<String> reply) {
        return code(codes, reply.isEmpty() ? "" : reply.get(0));
    }

    static <C extends Enum<C>> C code(Class<C> codes, String word) {
        try {
            return Enum.valueOf(codes, word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("a script answered '" + word + "', which this version does not know", e);
        }
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

    static String text(List<String> reply, int at) {
        return reply.size() > at ? reply.get(at) : "";
    }
}
