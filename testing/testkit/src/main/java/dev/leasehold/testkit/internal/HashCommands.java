package dev.leasehold.testkit.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The commands of hashes. */
final class HashCommands {

    private HashCommands() {}

    /** Returns the fields under a key: none if there is no key, null if another type is there. */
    private static @Nullable Map<String, String> read(Server server, String key) {
        Entry entry = server.keys().find(key);
        return entry == null ? Map.of() : entry.hash();
    }

    static @Nullable Object get(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        return hash == null ? ErrorReply.WRONG_TYPE : hash.get(args.get(2));
    }

    static Object getMany(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        if (hash == null) {
            return ErrorReply.WRONG_TYPE;
        }
        List<@Nullable Object> values = new ArrayList<>(args.size() - 2);
        for (int i = 2; i < args.size(); i++) {
            values.add(hash.get(args.get(i)));
        }
        return values;
    }

    static Object getAll(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        if (hash == null) {
            return ErrorReply.WRONG_TYPE;
        }
        List<@Nullable Object> all = new ArrayList<>(2 * hash.size());
        hash.forEach((field, value) -> {
            all.add(field);
            all.add(value);
        });
        return all;
    }

    static Object fields(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        return hash == null ? ErrorReply.WRONG_TYPE : new ArrayList<>(hash.keySet());
    }

    /** The largest hash that a real server keeps compact by default. It returns all fields of such a hash at once. */
    private static final int MOST_COMPACT_FIELDS = 128;

    /**
     * Runs HSCAN. Pages are in the order of a number made of each field's name, and the cursor is such a number: so a field
     * that is there from the first page to the last is returned, whatever is removed meanwhile.
     */
    static Object scan(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        if (hash == null) {
            return ErrorReply.WRONG_TYPE;
        }
        Long from = Numbers.parse(args.get(2));
        if (from == null || from < 0) {
            return new ErrorReply("ERR invalid cursor");
        }
        String pattern = "*";
        long count = 10;
        for (int i = 3; i + 1 < args.size(); i += 2) {
            if (args.get(i).equalsIgnoreCase("MATCH")) {
                pattern = args.get(i + 1);
            } else if (args.get(i).equalsIgnoreCase("COUNT")) {
                count = Objects.requireNonNullElse(Numbers.parse(args.get(i + 1)), count);
            } else {
                return new ErrorReply("ERR syntax error");
            }
        }
        boolean compact = hash.size() <= MOST_COMPACT_FIELDS;
        List<String> fields = new ArrayList<>(hash.keySet());
        if (!compact) {
            fields.removeIf(field -> order(field) < from);
            fields.sort(Comparator.comparingLong(HashCommands::order));
        }
        List<@Nullable Object> page = new ArrayList<>();
        String next = "0";
        for (int i = 0; i < fields.size(); i++) {
            String field = fields.get(i);
            if (!compact && i >= count && order(field) > order(fields.get(i - 1))) {
                next = Long.toString(order(field));
                break;
            }
            if (Glob.matches(pattern, field)) {
                page.add(field);
                page.add(hash.get(field));
            }
        }
        return List.of(next, page);
    }

    private static long order(String field) {
        return 1 + ((field.hashCode() * 0x9E3779B97F4A7C15L) >>> 20);
    }

    static Object values(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        return hash == null ? ErrorReply.WRONG_TYPE : new ArrayList<>(hash.values());
    }

    static Object length(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        return hash == null ? ErrorReply.WRONG_TYPE : Long.valueOf(hash.size());
    }

    static Object exists(Server server, List<String> args) {
        Map<String, String> hash = read(server, args.get(1));
        return hash == null ? ErrorReply.WRONG_TYPE : Long.valueOf(hash.containsKey(args.get(2)) ? 1 : 0);
    }

    static Object set(Server server, List<String> args) {
        if (args.size() % 2 == 1) {
            return new ErrorReply("ERR wrong number of arguments for 'hset' command");
        }
        Map<String, String> hash = change(server, args.get(1));
        if (hash == null) {
            return ErrorReply.WRONG_TYPE;
        }
        long added = 0;
        for (int i = 2; i < args.size(); i += 2) {
            if (hash.put(args.get(i), args.get(i + 1)) == null) {
                added++;
            }
        }
        return added;
    }

    static Object setIfAbsent(Server server, List<String> args) {
        Map<String, String> seen = read(server, args.get(1));
        if (seen == null) {
            return ErrorReply.WRONG_TYPE;
        }
        if (seen.containsKey(args.get(2))) {
            return 0L;
        }
        Objects.requireNonNull(change(server, args.get(1))).put(args.get(2), args.get(3));
        return 1L;
    }

    static Object increment(Server server, List<String> args) {
        Long by = Numbers.parse(args.get(3));
        if (by == null) {
            return ErrorReply.NOT_AN_INTEGER;
        }
        Map<String, String> seen = read(server, args.get(1));
        if (seen == null) {
            return ErrorReply.WRONG_TYPE;
        }
        Long old = Numbers.parse(seen.getOrDefault(args.get(2), "0"));
        if (old == null) {
            return new ErrorReply("ERR hash value is not an integer");
        }
        if (Numbers.overflows(old, by)) {
            return new ErrorReply("ERR increment or decrement would overflow");
        }
        Objects.requireNonNull(change(server, args.get(1))).put(args.get(2), Long.toString(old + by));
        return old + by;
    }

    static Object delete(Server server, List<String> args) {
        Map<String, String> seen = read(server, args.get(1));
        if (seen == null) {
            return ErrorReply.WRONG_TYPE;
        }
        if (args.subList(2, args.size()).stream().noneMatch(seen::containsKey)) {
            return 0L;
        }
        Map<String, String> hash = Objects.requireNonNull(change(server, args.get(1)));
        long removed = 0;
        for (int i = 2; i < args.size(); i++) {
            if (hash.remove(args.get(i)) != null) {
                removed++;
            }
        }
        if (hash.isEmpty()) {
            server.keys().delete(args.get(1));
        }
        return removed;
    }

    /** Returns the fields for modification; creates a hash if there is no key; null if another type is there. */
    private static @Nullable Map<String, String> change(Server server, String key) {
        Entry entry = server.keys().find(key);
        if (entry != null && !entry.isHash()) {
            return null;
        }
        entry = server.keys().change(key);
        if (entry == null) {
            entry = Entry.ofHash();
            server.keys().put(key, entry);
        }
        return entry.hash();
    }
}
