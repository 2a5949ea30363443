package dev.leasehold.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a run.
 *
 * @param scenarios the scenarios, in this order; never empty
 * @param quick whether rough figures are enough
 * @param rounds the number of measured rounds of each subject; 0 for the default
 * @param roundTime the length of a round; null for the default
 * @param requireRatio the factor by which Leasehold must be faster than Redisson with 16 threads; 0 for none
 * @param requireBars whether all bars must be reached
 * @param only a part of the names of the subjects to measure; empty for all
 * @param results the directory into which reports are written
 */
record Settings(
        List<String> scenarios,
        boolean quick,
        int rounds,
        @Nullable Duration roundTime,
        double requireRatio,
        boolean requireBars,
        String only,
        Path results) {

    /** The default number of rounds. */
    static final int ROUNDS = 5;

    /** The default number of rounds if rough figures are enough. */
    static final int QUICK_ROUNDS = 2;

    static final String USAGE = """
            Usage: benchmarks/run [SCENARIO]... [OPTION]...
            Measures Leasehold and its peers side by side. Without a scenario, all of them but connect and plot.

              uncontended         1 thread on 1 name, 16 on 16 names, 64 on 64, and the cost of the scripts
              semaphore           1 thread takes the one permit, beside its own scripts sent bare
              jedis               1 thread on 1 name over Jedis, beside Redisson and a bare SET NX PX pair
              quorum              1 thread on 1 name over a quorum of 5 servers, beside one server
              scripts             what the scripts cost the server: a pair, and a renewal
              scale               10,000 holds, permits, readers and fair waiters of one lock
              contended           the next three:
                one-jvm             1 name, 1 JVM, 16 threads
                four-jvms           1 name, 4 JVMs x 8 threads
                hand-off            1 name, 30 JVMs x 1 thread, 5 ms of work
              read-write          the next four:
                read-write-0        1 name, 1 JVM, 16 threads that read
                read-write-10       the same, and one of ten turns writes
                read-write-50       the same, and every other turn writes
                read-write-four-jvms  1 name, 4 JVMs x 8 threads, and one of ten turns writes
              waiters             the next three:
                waiters-10-names    1,000 waiters on 10 names
                waiters-1000-names  1,000 waiters on 1,000 names
                waiters-60-jvms     60 JVMs with a waiter each on 1 name
              fair                1,000 waiters on 10 names, 4 JVMs, in order
              retained            1 thread on 1 name that stays with the client, then another process wants it
              renewal             100,000 locks held for 60 s
              loss                1,000 and 100,000 locks, of which some are taken away
              deadlock            2, 3 and 5 JVMs whose threads wait for each other
              shared              1 lock shared with Redisson, from a holder of one library to a waiter of another
              cluster-outage      60 locks on 3 masters, one of which is frozen for 60 s
              connect             from a new JVM to the first lock
              plot                measures nothing: draws plot.svg from the newest stored reports of uncontended,
                                  four-jvms, waiters-10-names and renewal, and waiting.svg
                                  from those of hand-off and waiters-1000-names

              --quick             few and short rounds, 5,000 locks to renew, and 2,000 holds of one lock
              --rounds N          this many measured rounds; before them is one that is not measured
              --seconds S         this many seconds a round
              --only TEXT         only subjects with this text in their name
              --require-ratio X   exit 2 unless Leasehold reaches X times Redisson with 16 threads on 16 names
              --require-bars      exit 2 unless all bars are reached
              --results DIR       where reports are written, beside being printed, unless --only is given

            Exit code: 0 if all is well, 1 if a lock did not do what a lock is for, 2 if a ratio or a bar is not reached,
            64 for bad usage.
            """;

    private static final Settings DEFAULTS = new Settings(List.of(), false, 0, null, 0, false, "", Path.of("results"));

    /**
     * Parses the command line.
     *
     * @throws IllegalArgumentException if it is invalid; the message says why
     */
    static Settings parse(String... args) {
        Settings settings = DEFAULTS;
        Set<String> wanted = new HashSet<>();
        Deque<String> left = new ArrayDeque<>(List.of(args));
        while (!left.isEmpty()) {
            String option = left.pop();
            if (!option.startsWith("-")) {
                wanted.addAll(Scenarios.named(option));
                continue;
            }
            settings = switch (option) {
                case "--quick" -> settings.withQuick();
                case "--rounds" -> settings.withRounds((int) number(option, left, 1, 1000));
                case "--seconds" ->
                    settings.withTime(Duration.ofMillis((long) (1000 * number(option, left, 0.01, 3600))));
                case "--require-ratio" -> settings.withRatio(number(option, left, 0, 1000));
                case "--require-bars" -> settings.withBars();
                case "--only" -> settings.withOnly(value(option, left));
                case "--results" -> settings.withResults(Path.of(value(option, left)));
                default -> throw new IllegalArgumentException("there is no option " + option);
            };
        }
        return settings.withScenarios(wanted.isEmpty() ? Scenarios.usual() : Scenarios.inOrder(wanted));
    }

    /** Returns the number of rounds: as requested, or the default. */
    int roundsOr(int usual, int quickly) {
        return rounds > 0 ? rounds : quick ? quickly : usual;
    }

    /** Returns the length of a round: as requested, or the default. */
    Duration timeOr(Duration usual, Duration quickly) {
        return roundTime != null ? roundTime : quick ? quickly : usual;
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

    private Settings withScenarios(List<String> words) {
        return new Settings(words, quick, rounds, roundTime, requireRatio, requireBars, only, results);
    }

    private Settings withQuick() {
        return new Settings(scenarios, true, rounds, roundTime, requireRatio, requireBars, only, results);
    }

    private Settings withRounds(int n) {
        return new Settings(scenarios, quick, n, roundTime, requireRatio, requireBars, only, results);
    }

    private Settings withTime(Duration time) {
        return new Settings(scenarios, quick, rounds, time, requireRatio, requireBars, only, results);
    }

    private Settings withRatio(double ratio) {
        return new Settings(scenarios, quick, rounds, roundTime, ratio, requireBars, only, results);
    }

    private Settings withBars() {
        return new Settings(scenarios, quick, rounds, roundTime, requireRatio, true, only, results);
    }

    private Settings withOnly(String text) {
        return new Settings(scenarios, quick, rounds, roundTime, requireRatio, requireBars, text, results);
    }

    private Settings withResults(Path directory) {
        return new Settings(scenarios, quick, rounds, roundTime, requireRatio, requireBars, only, directory);
    }
}
