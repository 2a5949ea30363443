package dev.leasehold.benchmarks.measure;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The counters of a server, since its start or between two moments: its CPU time, and the number and duration of
 * each command's executions. Commands that scripts call count too; those of the measurement itself do not.
 *
 * @param cpuMicros its CPU time
 * @param reads the number of its reads from clients: one for each request, or for several that arrived together.
 *     Those of the measurement itself are counted
 * @param commands the commands that it ran
 */
public record ServerStats(double cpuMicros, long reads, Map<String, Cost> commands) {

    private static final Set<String> OF_THE_METER = Set.of("auth", "info");
    private static final String PREFIX = "cmdstat_";

    /** The number of executions of a command, and their total time in microseconds. */
    public record Cost(long calls, long micros) {

        /** Returns the mean time of one execution. */
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

    /** Returns the current counters. */
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

    /** Parses {@code calls=3,usec=12,usec_per_call=4.00}. */
    private static long number(String value, String label) {
        for (String part : value.split(",", -1)) {
            if (part.startsWith(label)) {
                return Long.parseLong(part.substring(label.length()));
            }
        }
        throw new IllegalArgumentException("there is no " + label + " in '" + value + "'");
    }

    /** Returns the difference from an earlier moment. */
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

    /** Returns the cost of all scripts together, with all commands that they called. */
    public Cost scripts() {
        return commands.getOrDefault("eval", new Cost(0, 0)).plus(commands.getOrDefault("evalsha", new Cost(0, 0)));
    }

    /** Returns the number of commands, including those that scripts called. */
    public long calls() {
        return commands.values().stream().mapToLong(Cost::calls).sum();
    }
}
