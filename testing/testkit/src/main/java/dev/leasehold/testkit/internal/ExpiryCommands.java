package dev.leasehold.testkit.internal;

import java.util.List;
import java.util.Locale;

/** The commands of expiry. */
final class ExpiryCommands {

    private ExpiryCommands() {}

    /** Runs EXPIRE and its variants; {@code unit} is in milliseconds. */
    static Object expire(Server server, List<String> args, long unit, boolean relative) {
        Long given = Numbers.parse(args.get(2));
        if (given == null) {
            return ErrorReply.NOT_AN_INTEGER;
        }
        long start = relative ? server.keys().nowMillis() : 0;
        if (given > (Long.MAX_VALUE - start) / unit || given < Long.MIN_VALUE / unit) {
            return new ErrorReply("ERR invalid expire time in '" + args.get(0).toLowerCase(Locale.ROOT) + "' command");
        }
        if (args.size() > 3) {
            return new ErrorReply("ERR Unsupported option " + args.get(3));
        }
        long at = start + given * unit;
        Keyspace keys = server.keys();
        if (keys.find(args.get(1)) == null) {
            return 0L;
        }
        if (at <= keys.nowMillis()) {
            keys.delete(args.get(1));
            return 1L;
        }
        Entry entry = keys.change(args.get(1));
        if (entry != null) {
            entry.expireAt(at);
        }
        return 1L;
    }

    static Object persist(Server server, List<String> args) {
        Entry entry = server.keys().find(args.get(1));
        if (entry == null || entry.expiresAtMillis() == Entry.NEVER) {
            return 0L;
        }
        server.keys().change(args.get(1));
        entry.expireAt(Entry.NEVER);
        return 1L;
    }

    /** Runs PTTL and its variants: the remaining time, or the moment of expiry. */
    static Object left(Server server, List<String> args, long unit, boolean relative) {
        Entry entry = server.keys().find(args.get(1));
        if (entry == null) {
            return -2L;
        }
        if (entry.expiresAtMillis() == Entry.NEVER) {
            return -1L;
        }
        long millis = entry.expiresAtMillis() - (relative ? server.keys().nowMillis() : 0);
        return unit == 1 ? millis : (millis + unit / 2) / unit;
    }
}
