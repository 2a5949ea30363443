package dev.leasehold.benchmarks.measure;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a server counted, since its start or between two moments: its CPU time, and for each command how often it ran and
 * for how long. Commands that scripts call count too; what the measuring itself sends does not.
 *
 * @param cpuMicros its CPU time
 * @param reads how often it read from a client: a request each, or several that came together. Those of the measuring
 *     itself are counted
 * @param commands what it ran
 */
public record ServerStats(double cpuMicros, long reads, Map<String, Cost> commands) {

    private static final Set<String> OF_THE_METER = Set.of("auth", "info");
    private static final String PREFIX = "cmdstat_";

    /** How often a command ran, and how long all runs took together, in microseconds. */
    public record Cost(long calls, long micros) {

        /** How long one run took. */
        public double each() {
            return calls == 0 ? Double.NaN : (double) micros / calls;
        }

        Cost minus(Cost earlier) {
            return new Cost(calls - earlier.calls, micros - earlier.micros);
        }

        Cost plus(Cost other) {
            return new Cost(calls + other.calls, micros + other.micros);
        }
    }

    /** As of now. */
    public static ServerStats now(EmbeddedRedis redis) {
        return of(redis.info("everything"));
    }

    static ServerStats of(Map<String, String> info) {
        double seconds = Double.parseDouble(info.getOrDefault("used_cpu_user", "0"))
                + Double.parseDouble(info.getOrDefault("used_cpu_sys", "0"));
        long reads = Long.parseLong(info.getOrDefault("total_reads_processed", "0"));
        Map<String, Cost> commands = new TreeMap<>();
        info.forEach((field, value) -> {
            if (field.startsWith(PREFIX) && !OF_THE_METER.contains(field.substring(PREFIX.length()))) {
                commands.put(
                        field.substring(PREFIX.length()), new Cost(number(value, "calls="), number(value, "usec=")));
            }
        });
        return new ServerStats(seconds * 1e6, reads, commands);
    }

    /** From {@code calls=3,usec=12,usec_per_call=4.00}. */
    private static long number(String value, String label) {
        for (String part : value.split(",", -1)) {
            if (part.startsWith(label)) {
                return Long.parseLong(part.substring(label.length()));
            }
        }
        throw new IllegalArgumentException("there is no " + label + " in '" + value + "'");
    }

    /** What has come since an earlier moment. */
    public ServerStats since(ServerStats earlier) {
        Map<String, Cost> later = new TreeMap<>();
        commands.forEach((name, cost) -> {
            Cost grown = cost.minus(earlier.commands.getOrDefault(name, new Cost(0, 0)));
            if (grown.calls > 0) {
                later.put(name, grown);
            }
        });
        return new ServerStats(cpuMicros - earlier.cpuMicros, reads - earlier.reads, later);
    }

    /** All scripts together, with all commands that they called. */
    public Cost scripts() {
        return commands.getOrDefault("eval", new Cost(0, 0)).plus(commands.getOrDefault("evalsha", new Cost(0, 0)));
    }

    /** How many commands there were, those that scripts called included. */
    public long calls() {
        return commands.values().stream().mapToLong(Cost::calls).sum();
    }
}
