package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.Answered;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The true state of latches in Redis: recorded in the history when their scripts run, and after a fault that may
 * change it.
 */
final class LatchTruth {

    private static final long NANOS_PER_MICRO = 1000;
    private static final String COUNTED = "d:";

    private final World world;
    private final History history;
    private final SimulatedRedis redis;
    private final Set<String> names = new TreeSet<>();

    LatchTruth(World world, History history, SimulatedRedis redis) {
        this.world = world;
        this.history = history;
        this.redis = redis;
    }

    void executed(Answered one) {
        String latch = Entry.lockOf(one.key());
        switch (one.script() + " " + one.word()) {
            case "latch_set set" -> {
                names.add(latch);
                Map<String, String> fields = redis.hash(one.key());
                String set = one.args().get(0);
                report(What.SERVER_SET, latch, set, Long.parseLong(one.args().get(1)), end(fields), set);
            }
            case "latch_count_down counted" ->
                report(
                        What.SERVER_COUNTED,
                        latch,
                        "",
                        Long.parseLong(one.reply().get(2)),
                        world.now() + (Long.parseLong(one.args().get(1)) - redis.micros()) * NANOS_PER_MICRO,
                        one.args().get(0));
            case "latch_count_down over", "latch_look reached" -> report(What.SERVER_REACHED, latch, "", 0, 0, "");
            default -> {}
        }
    }

    /** Records the current state after a fault that may have removed latches or count-downs, or moved their ends. */
    void readAgain() {
        for (String latch : names) {
            Map<String, String> fields = redis.hash(ServerTruth.key(latch));
            if (end(fields) <= world.now()) {
                report(What.SERVER_KNOWN, latch, "", 0, 0, "");
                continue;
            }
            String counted = fields.keySet().stream()
                    .filter(field -> field.startsWith(COUNTED))
                    .map(field -> field.substring(COUNTED.length()))
                    .collect(Collectors.joining(" "));
            report(
                    What.SERVER_KNOWN,
                    latch,
                    by(fields),
                    Long.parseLong(fields.getOrDefault("n", "0")),
                    end(fields),
                    counted);
        }
    }

    private static String by(Map<String, String> fields) {
        return fields.getOrDefault("by", "");
    }

    /** Returns the moment at which the latch expires, in true time; 0 if it does not exist. */
    private long end(Map<String, String> fields) {
        @Nullable String ends = fields.get("ends");
        return ends == null ? 0 : world.now() + (Long.parseLong(ends) - redis.micros()) * NANOS_PER_MICRO;
    }

    private void report(What what, String latch, String by, long left, long until, String note) {
        history.add(new Entry(world.now(), -1, -1, what, latch, by, left, until, note));
    }
}
