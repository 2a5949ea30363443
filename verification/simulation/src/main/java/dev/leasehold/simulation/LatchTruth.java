package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.Answered;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** How many arguments a script has with a round, which is the last. */
    private static final int ARGS_OF_A_ROUND_SET = 5;

    private static final int ARGS_OF_A_ROUND = 3;

    private final World world;
    private final History history;
    private final SimulatedRedis redis;
    private final Set<String> names = new TreeSet<>();
    /** The rounds of each latch that were set. */
    private final Map<String, Set<Long>> rounds = new TreeMap<>();

    LatchTruth(World world, History history, SimulatedRedis redis) {
        this.world = world;
        this.history = history;
        this.redis = redis;
    }

    void executed(Answered one) {
        String latch = latch(one);
        switch (one.script() + " " + one.word()) {
            case "latch_set set" -> {
                Map<String, String> fields = redis.hash(one.key());
                String set = one.args().get(0);
                report(What.SERVER_SET, latch, set, Long.parseLong(one.args().get(1)), end(fields), set);
                String former = Entry.latchOf(latch);
                if (former.isEmpty()) {
                    names.add(latch);
                } else {
                    rounds(former, fields, false);
                    rounds.computeIfAbsent(former, name -> new TreeSet<>()).add(Entry.numberOf(latch));
                }
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
            known(latch, redis.hash(ServerTruth.key(latch)));
        }
        rounds.keySet().forEach(latch -> rounds(latch, redis.hash(ServerTruth.key(latch)), true));
    }

    private void known(String latch, Map<String, String> fields) {
        if (end(fields) <= world.now()) {
            report(What.SERVER_KNOWN, latch, "", 0, 0, "");
            return;
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

    /** Records the rounds that were set: the present one, unless it is known, those that are still reached, and those that are gone. */
    private void rounds(String latch, Map<String, String> fields, boolean present) {
        long number = Long.parseLong(fields.getOrDefault("rd", "-1"));
        long first = Long.parseLong(fields.getOrDefault("rf", "-1"));
        for (long round : rounds.getOrDefault(latch, Set.of())) {
            String name = Entry.roundOf(latch, Long.toString(round));
            if (round == number) {
                if (present) {
                    known(name, fields);
                }
            } else if (first <= round && round < number && end(fields) > world.now()) {
                report(What.SERVER_KNOWN, name, "", 0, end(fields), "");
            } else {
                report(What.SERVER_KNOWN, name, "", 0, 0, "");
            }
        }
    }

    private static String latch(Answered one) {
        String latch = Entry.lockOf(one.key());
        int withRound = one.script().equals("latch_set") ? ARGS_OF_A_ROUND_SET : ARGS_OF_A_ROUND;
        return one.args().size() < withRound
                ? latch
                : Entry.roundOf(latch, one.args().get(withRound - 1));
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
