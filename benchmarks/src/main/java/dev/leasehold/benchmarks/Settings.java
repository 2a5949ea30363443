package dev.leasehold.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What a run is asked to do.
 *
 * @param rounds how many measured rounds each subject has
 * @param roundTime how long a round lasts
 * @param requireRatio how many times faster than Redisson Leasehold must be with 16 threads; 0 for no matter
 * @param only a part of the names of the subjects to measure; empty for all
 * @param connect whether to measure the time from nothing to the first lock, instead of locking
 * @param results the directory into which the report is written
 */
record Settings(int rounds, Duration roundTime, double requireRatio, String only, boolean connect, Path results) {

    static final String USAGE = """
            Usage: benchmarks/run [OPTION]...
            Measures an uncontended acquire and release of Leasehold, Redisson and the floor, side by side.

              --quick             3 rounds of 1 s instead of 7 of 3 s
              --rounds N          this many measured rounds; before them is one that is not measured
              --seconds S         this many seconds a round
              --require-ratio X   exit 2 unless Leasehold reaches X times Redisson with 16 threads on 16 names
              --only TEXT         only subjects with this text in their name
              --connect           measure the time from a new JVM to the first lock instead
              --results DIR       where the report is written, beside being printed

            Exit code: 0 if all is well, 1 if a lock did not do what a lock is for, 2 if the ratio is not reached,
            64 for bad usage.
            """;

    private static final Settings DEFAULTS = new Settings(7, Duration.ofSeconds(3), 0, "", false, Path.of("results"));

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException if it makes no sense; the message says why
     */
    static Settings parse(String... args) {
        Settings settings = DEFAULTS;
        Deque<String> left = new ArrayDeque<>(List.of(args));
        while (!left.isEmpty()) {
            String option = left.pop();
            settings = switch (option) {
                case "--quick" -> settings.withRounds(3).withTime(Duration.ofSeconds(1));
                case "--rounds" -> settings.withRounds((int) number(option, left, 1, 1000));
                case "--seconds" ->
                    settings.withTime(Duration.ofMillis((long) (1000 * number(option, left, 0.01, 3600))));
                case "--require-ratio" -> settings.withRatio(number(option, left, 0, 1000));
                case "--only" -> settings.withOnly(value(option, left));
                case "--connect" -> settings.withConnect();
                case "--results" -> settings.withResults(Path.of(value(option, left)));
                default -> throw new IllegalArgumentException("there is no option " + option);
            };
        }
        return settings;
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty()) {
            throw new IllegalArgumentException(option + " wants a value");
        }
        return left.pop();
    }

    private static double number(String option, Deque<String> left, double min, double max) {
        String text = value(option, left);
        try {
            double number = Double.parseDouble(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " wants a number, not '" + text + "'", e);
        }
        throw new IllegalArgumentException(option + " must lie within " + min + " and " + max + ", not be " + text);
    }

    private Settings withRounds(int n) {
        return new Settings(n, roundTime, requireRatio, only, connect, results);
    }

    private Settings withTime(Duration time) {
        return new Settings(rounds, time, requireRatio, only, connect, results);
    }

    private Settings withRatio(double ratio) {
        return new Settings(rounds, roundTime, ratio, only, connect, results);
    }

    private Settings withOnly(String text) {
        return new Settings(rounds, roundTime, requireRatio, text, connect, results);
    }

    private Settings withConnect() {
        return new Settings(rounds, roundTime, requireRatio, only, true, results);
    }

    private Settings withResults(Path directory) {
        return new Settings(rounds, roundTime, requireRatio, only, connect, directory);
    }
}
