package dev.leasehold.testkit.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands of keys, whatever their type. */
final class KeyCommands {

    private KeyCommands() {}

    static Object type(Server server, List<String> args) {
        Entry entry = server.keys().find(args.get(1));
        return new StatusReply(entry == null ? "none" : entry.type());
    }

    static Object exists(Server server, List<String> args) {
        long found = 0;
        for (int i = 1; i < args.size(); i++) {
            if (server.keys().find(args.get(i)) != null) {
                found++;
            }
        }
        return found;
    }

    static Object delete(Server server, List<String> args) {
        long deleted = 0;
        for (int i = 1; i < args.size(); i++) {
            if (server.keys().find(args.get(i)) != null && server.keys().delete(args.get(i))) {
                deleted++;
            }
        }
        return deleted;
    }

    static Object keys(Server server, List<String> args) {
        return matching(server, args.get(1), "");
    }

    /** Returns all keys in one answer: the cursor is 0 again. */
    static Object scan(Server server, List<String> args) {
        if (!"0".equals(args.get(1))) {
            return new ErrorReply("ERR invalid cursor");
        }
        String pattern = "*";
        String type = "";
        for (int i = 2; i < args.size(); i += 2) {
            if (i + 1 == args.size()) {
                return ErrorReply.SYNTAX;
            }
            switch (args.get(i).toUpperCase(Locale.ROOT)) {
                case "MATCH" -> pattern = args.get(i + 1);
                case "TYPE" -> type = args.get(i + 1).toLowerCase(Locale.ROOT);
                case "COUNT" -> {
                    // Only a hint.
                }
                default -> {
                    return ErrorReply.SYNTAX;
                }
            }
        }
        return List.of("0", matching(server, pattern, type));
    }

    private static List<@Nullable Object> matching(Server server, String pattern, String type) {
        List<@Nullable Object> found = new ArrayList<>();
        for (String key : server.keys().keys()) {
            Entry entry = server.keys().peek(key);
            if (Glob.matches(pattern, key) && entry != null && (type.isEmpty() || type.equals(entry.type()))) {
                found.add(key);
            }
        }
        return found;
    }

    static Object size(Server server, List<String> args) {
        return (long) server.keys().keys().size();
    }

    static Object flush(Server server, List<String> args) {
        server.keys().clear();
        return StatusReply.OK;
    }
}
