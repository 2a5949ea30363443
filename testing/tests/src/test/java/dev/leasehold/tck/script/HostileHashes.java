package dev.leasehold.tck.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** What a tenant of the same Redis may have written under the key of a lock: states of locks in which values are not what they should be. */
final class HostileHashes {

    /** Stands for a value that is no hash. */
    static final String STRING = "a string";

    private static final String HUGE = "9".repeat(100_000);

    /** Values of any field. */
    private static final List<String> VALUES = List.of(
            "",
            "x",
            "-1",
            "0",
            "1",
            "1.5",
            "nan",
            "0x10",
            "1e1",
            "007",
            "inf",
            "1e308",
            "9007199254740991",
            "9007199254740993",
            "99999999999999999999",
            ":",
            "0:0:0:0",
            "1:1:1",
            "9007199254740991:9007199254740991",
            "9".repeat(400) + ":" + "9".repeat(400) + ":" + "9".repeat(400) + ":" + "9".repeat(400),
            "99999999999999999999:99999999999999999999:1:1",
            "9007199254740991:9007199254740991:9007199254740991:9007199254740991",
            "=9007199254740991",
            "1s9007199254740991:w",
            "\u0000\n",
            HUGE);

    /** In how many draws of each state several fields are spoilt. */
    private static final int SEVERAL = DifferentialIT.NIGHTLY ? 100 : 20;

    private static final List<String> NUMBERS =
            List.of("0", "1", "-9007199254740991", "9007199254740991", "9007199254740993", "1e308", "nan", "x");

    private final long now;
    private final Map<String, Map<String, String>> found = new LinkedHashMap<>();

    private HostileHashes(long now) {
        this.now = now;
    }

    /** Returns what may be in place of a value. */
    static List<String> values() {
        return VALUES;
    }

    /** Returns hashes by what is wrong with them. */
    static Map<String, Map<String, String>> of(long now) {
        HostileHashes hashes = new HostileHashes(now);
        hashes.valid().forEach(hashes::spoil);
        hashes.valid().forEach(hashes::spoilSeveral);
        hashes.emptyQueues();
        VALUES.forEach(value -> hashes.found.put("a string of " + value.length() + " letters", Map.of(STRING, value)));
        hashes.found.put("a mark of a huge layout", Map.of(STRING, HUGE + " 1 1 a"));
        hashes.found.put("a mark of a huge lease", Map.of(STRING, "1 1 " + HUGE + " a"));
        hashes.found.put("a huge name of Redisson", Map.of("0d4f1f6b-4a4c-4f0c-9b57-0d1f8a3bd4a1:" + HUGE, "1"));
        hashes.large();
        return hashes.found;
    }

    private Map<String, Map<String, String>> valid() {
        Map<String, Map<String, String>> states = new LinkedHashMap<>();
        Map<String, String> exclusive = lock("a1");
        exclusive.putAll(Map.of("tok", text(now - 5), "rt", now + ":w:1", "rq", text(now), "ex", text(now / 1000)));
        states.put("exclusive", with(exclusive, queue()));
        states.put("usual", lock("a1"));
        for (String own : List.of("n:job", "r", "s")) {
            Map<String, String> several = lock(own);
            several.put("h:a2", hold());
            several.put("i:a2", "17@host main");
            several.put("rs", "2:" + (now + 10) + ":" + (now + 3_600_000_000L) + ":3600000000");
            several.put("rc", "0:" + (now + 10) + ":" + (now + 10));
            if (own.equals("s")) {
                several.putAll(Map.of("p:a1", "2", "pt", "4"));
            }
            states.put("several as " + own, with(several, queue()));
            several.put("rs", "2:1:1:1");
            states.put("to be read as " + own, several);
        }
        Map<String, String> free = new TreeMap<>(Map.of("v", "1", "last", text(now)));
        states.put("free with a queue", with(free, queue()));
        Map<String, String> leftovers = new TreeMap<>(free);
        leftovers.putAll(Map.of("tok", text(now - 5), "rt", now + ":w:1", "ex", text(now / 1000), "pt", "4"));
        leftovers.putAll(
                Map.of("rs", "1:1:1:1", "rc", "7:1:1", "rv", "5", "re", now + 50_000 + ":50000", "h:a1", hold()));
        states.put("free with what holders left", leftovers);
        Map<String, String> gone = with(lock("a1"), queue());
        gone.remove("b:w:1");
        gone.putAll(Map.of("q:5", "1:w:1 1 17@host main", "q:6", "1r:w:2"));
        states.put("with waiters that are gone", gone);
        states.put("latch", latch("latch 1"));
        Map<String, String> rounds = latch("latch rounds 1");
        rounds.putAll(Map.of("rd", "4", "rf", "2"));
        states.put("latch with rounds", rounds);
        states.put("redisson", new TreeMap<>(Map.of("0d4f1f6b-4a4c-4f0c-9b57-0d1f8a3bd4a1:17", "1")));
        return states;
    }

    private Map<String, String> latch(String layout) {
        return new TreeMap<>(Map.of(
                "v",
                layout,
                "n",
                "1",
                "of",
                "1",
                "by",
                "a1",
                "ends",
                text(now + 3_600_000_000L),
                "wn",
                "1",
                "w:1",
                "w:1"));
    }

    private Map<String, String> lock(String own) {
        return new TreeMap<>(Map.of(
                "v",
                "1",
                "last",
                text(now),
                "own",
                own,
                "h:a1",
                hold(),
                "i:a1",
                "17@host main",
                "l:a1",
                "label",
                "x:b1",
                text(now + 10),
                "xn",
                "1:" + (now + 10)));
    }

    private String hold() {
        return now + ":3600000000:" + now;
    }

    private Map<String, String> queue() {
        Map<String, String> queue = new TreeMap<>(Map.of("wn", "3", "qh", "5", "qt", "7", "qn", "6", "qf", "1"));
        queue.putAll(Map.of("q:5", now + ":w:1 " + now + " 17@host main", "q:6", now + "r:w:2", "q:7", now + "s2:w:3"));
        queue.putAll(Map.of("b:w:1", text(now), "rv", "5", "re", now + 50_000 + ":50000", "wb", "3", "wr", "1"));
        return queue;
    }

    private static Map<String, String> with(Map<String, String> fields, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(fields);
        all.putAll(more);
        return all;
    }

    private static String text(long number) {
        return Long.toString(number);
    }

    /** Several fields at once: what one script tolerates in one field it may not in another. */
    private void spoilSeveral(String state, Map<String, String> fields) {
        Random random = new Random(state.hashCode());
        for (int n = 0; n < SEVERAL; n++) {
            Map<String, String> spoilt = new TreeMap<>(fields);
            for (String field : fields.keySet()) {
                switch (field.equals("v") ? 0 : random.nextInt(6)) {
                    case 4 -> spoilt.remove(field);
                    case 5 -> spoilt.put(field, VALUES.get(random.nextInt(VALUES.size() - 1)));
                    default -> {}
                }
            }
            found.put(state + " with several fields as in the draw " + n, spoilt);
        }
    }

    /** Each field once with each value, and once missing. */
    private void spoil(String state, Map<String, String> fields) {
        found.put(state, fields);
        for (String field : fields.keySet()) {
            Map<String, String> without = new TreeMap<>(fields);
            without.remove(field);
            found.put(state + " without " + field, without);
            for (String value : VALUES) {
                String shown = value.length() > 60 ? value.length() + " bytes" : value;
                found.put(state + " with " + field + "=" + shown, with(fields, Map.of(field, value)));
            }
        }
        found.put(state + " with a huge name", with(fields, Map.of("h:" + HUGE, hold(), "q:" + HUGE, hold())));
    }

    /** The positions of a queue are counted, but not there. */
    private void emptyQueues() {
        for (String owner : List.of("", "a1", "r")) {
            for (String head : NUMBERS) {
                for (String tail : NUMBERS) {
                    for (String next : List.of("1", "9007199254740991", "x")) {
                        Map<String, String> queue = new TreeMap<>(Map.of("v", "1", "last", "0", "qf", "1", "wn", "1"));
                        queue.putAll(Map.of("qh", head, "qt", tail, "qn", next));
                        if (!owner.isEmpty()) {
                            queue.putAll(Map.of("own", owner, "h:a1", hold()));
                        }
                        found.put("an empty queue of " + owner + " from " + head + " to " + tail + ", " + next, queue);
                    }
                }
            }
        }
    }

    /** Hashes that are not read at once. */
    private void large() {
        List<Map<String, String>> junk = new ArrayList<>();
        for (String field : List.of("h:%d", "q:%d", "x:%d", "b:%d", "p:%d", "w:%d", "d:%d", "%d")) {
            Map<String, String> many = new TreeMap<>();
            for (int n = 0; n < 8000; n++) {
                many.put(String.format(field, n), n % 2 == 0 ? "x" : hold());
            }
            junk.add(many);
        }
        for (Map<String, String> many : junk) {
            String name = "with 8000 fields as " + many.keySet().iterator().next();
            found.put(name, with(with(lock("a1"), queue()), many));
            found.put("of readers " + name, with(with(lock("r"), queue()), many));
            found.put(
                    "of permits " + name,
                    with(with(lock("s"), Map.of("pt", "4", "rs", "1:1:1:1", "rc", "7:1:1")), many));
        }
    }
}
