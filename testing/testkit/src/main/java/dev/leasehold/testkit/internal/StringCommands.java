package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands of plain strings. */
final class StringCommands {

    private static final long MILLIS_PER_SECOND = 1000;

    private StringCommands() {}

    static @Nullable Object get(Server server, List<String> args) {
        Entry entry = server.keys().find(args.get(1));
        if (entry == null) {
            return null;
        }
        return entry.isHash() ? ErrorReply.WRONG_TYPE : entry.text();
    }

    static @Nullable Object set(Server server, List<String> args) {
        boolean onlyAbsent = false;
        boolean onlyPresent = false;
        boolean keep = false;
        long expiry = Entry.NEVER;
        for (int i = 3; i < args.size(); i++) {
            switch (args.get(i).toUpperCase(Locale.ROOT)) {
                case "NX" -> onlyAbsent = true;
                case "XX" -> onlyPresent = true;
                case "KEEPTTL" -> keep = true;
                case "PX", "EX", "PXAT", "EXAT" -> {
                    if (++i == args.size()) {
                        return ErrorReply.SYNTAX;
                    }
                    Long given = Numbers.parse(args.get(i));
                    if (given == null) {
                        return ErrorReply.NOT_AN_INTEGER;
                    }
                    if (given <= 0) {
                        return new ErrorReply("ERR invalid expire time in 'set' command");
                    }
                    expiry = moment(server, args.get(i - 1), given);
                }
                default -> {
                    return ErrorReply.SYNTAX;
                }
            }
        }
        Entry old = server.keys().find(args.get(1));
        if ((onlyAbsent && old != null) || (onlyPresent && old == null)) {
            return null;
        }
        Entry entry = Entry.ofText(args.get(2));
        entry.expireAt(keep && old != null ? old.expiresAtMillis() : expiry);
        server.keys().put(args.get(1), entry);
        return StatusReply.OK;
    }

    private static long moment(Server server, String option, long given) {
        return switch (option.toUpperCase(Locale.ROOT)) {
            case "PX" -> server.keys().nowMillis() + given;
            case "EX" -> server.keys().nowMillis() + given * MILLIS_PER_SECOND;
            case "EXAT" -> given * MILLIS_PER_SECOND;
            default -> given;
        };
    }

    static Object increment(Server server, List<String> args) {
        Long by = args.size() > 2 ? Numbers.parse(args.get(2)) : Long.valueOf(1);
        Entry entry = server.keys().find(args.get(1));
        if (entry != null && entry.isHash()) {
            return ErrorReply.WRONG_TYPE;
        }
        Long old = entry == null ? Long.valueOf(0) : Numbers.parse(entry.text());
        if (by == null || old == null) {
            return ErrorReply.NOT_AN_INTEGER;
        }
        if (Numbers.overflows(old, by)) {
            return new ErrorReply("ERR increment or decrement would overflow");
        }
        Entry next = Entry.ofText(Long.toString(old + by));
        next.expireAt(entry == null ? Entry.NEVER : entry.expiresAtMillis());
        server.keys().put(args.get(1), next);
        return old + by;
    }
}
