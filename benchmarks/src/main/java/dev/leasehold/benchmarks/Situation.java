package dev.leasehold.benchmarks;

import static dev.leasehold.benchmarks.report.Column.median;
import static dev.leasehold.benchmarks.report.Column.ratio;
import static dev.leasehold.benchmarks.report.Column.spread;

import dev.leasehold.benchmarks.measure.Figure;
import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.report.Column;
import dev.leasehold.benchmarks.subject.Contestant;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The situations of several JVMs: the length of a round, the contestants, and the reported figures. */
enum Situation {
    ONE_JVM(3, 1),
    FOUR_JVMS(10, 2),
    HAND_OFF(10, 2),
    READ_WRITE_0(3, 1),
    READ_WRITE_10(3, 1),
    READ_WRITE_50(3, 1),
    READ_WRITE_FOUR_JVMS(10, 2),
    WAITERS_10_NAMES(10, 2),
    WAITERS_1000_NAMES(10, 2),
    WAITERS_60_JVMS(10, 4),
    FAIR(10, 2),
    RETAINED(10, 1),
    RENEWAL(60, 12);

    private final int seconds;
    private final int quickSeconds;

    Situation(int seconds, int quickSeconds) {
        this.seconds = seconds;
        this.quickSeconds = quickSeconds;
    }

    /** Returns its name on the command line and in the name of the report. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Duration time() {
        return Duration.ofSeconds(seconds);
    }

    Duration quickTime() {
        return Duration.ofSeconds(quickSeconds);
    }

    /** Returns whether its bars are for this contestant. */
    boolean judges(Contestant contestant) {
        return this == RETAINED ? contestant == Contestant.LEASEHOLD_RETAINED : contestant.ours();
    }

    /** Returns the contestants with this text in their name. */
    List<Contestant> contestants(String only) {
        Contestant[] all = switch (this) {
            case ONE_JVM ->
                new Contestant[] {
                    Contestant.LEASEHOLD,
                    Contestant.LEASEHOLD_LOCK,
                    Contestant.REDISSON,
                    Contestant.REDISSON_FENCED,
                    Contestant.REDISSON_SPIN,
                    Contestant.REDISSON_FAIR,
                    Contestant.SPRING,
                    Contestant.SPRING_SPIN,
                    Contestant.JEDIS,
                    Contestant.JDK
                };
            case FOUR_JVMS, HAND_OFF ->
                new Contestant[] {
                    Contestant.LEASEHOLD,
                    Contestant.LEASEHOLD_LOCK,
                    Contestant.REDISSON,
                    Contestant.REDISSON_FENCED,
                    Contestant.REDISSON_SPIN,
                    Contestant.REDISSON_FAIR,
                    Contestant.SPRING,
                    Contestant.SPRING_SPIN,
                    Contestant.JEDIS
                };
            case READ_WRITE_0, READ_WRITE_10, READ_WRITE_50, READ_WRITE_FOUR_JVMS ->
                new Contestant[] {Contestant.LEASEHOLD_READ_WRITE, Contestant.REDISSON_READ_WRITE};
            case WAITERS_10_NAMES, WAITERS_1000_NAMES, WAITERS_60_JVMS ->
                new Contestant[] {
                    Contestant.LEASEHOLD,
                    Contestant.REDISSON,
                    Contestant.REDISSON_SPIN,
                    Contestant.REDISSON_FAIR,
                    Contestant.SPRING,
                    Contestant.SPRING_SPIN,
                    Contestant.JEDIS
                };
            case RETAINED ->
                new Contestant[] {
                    Contestant.LEASEHOLD_RETAINED,
                    Contestant.LEASEHOLD,
                    Contestant.REDISSON,
                    Contestant.SPRING,
                    Contestant.JEDIS
                };
            case FAIR -> new Contestant[] {Contestant.LEASEHOLD_FAIR, Contestant.REDISSON_FAIR};
            case RENEWAL -> new Contestant[] {Contestant.LEASEHOLD, Contestant.REDISSON};
        };
        return Contestant.with(only, all);
    }

    List<Column> columns() {
        return switch (this) {
            case ONE_JVM ->
                List.of(
                        spread("pairs/s", Round::rate),
                        ratio("x Redisson", Contestant.REDISSON, Round::rate),
                        ratio("x ReentrantLock", Contestant.JDK, Round::rate),
                        spread("longest wait ms", of(Figure.LONGEST_WAIT_MILLIS)),
                        clientCpu(),
                        serverCpu(),
                        median("errors", of(Figure.ERRORS)));
            case FOUR_JVMS ->
                List.of(
                        spread("pairs/s", Round::rate),
                        ratio("x Redisson", Contestant.REDISSON, Round::rate),
                        ratio("x articles'", Contestant.JEDIS, Round::rate),
                        spread("slowest / fastest JVM", of(Figure.SLOWEST_TO_FASTEST)),
                        spread("longest wait ms", of(Figure.LONGEST_WAIT_MILLIS)),
                        clientCpu(),
                        serverCpu(),
                        median("errors", of(Figure.ERRORS)));
            case READ_WRITE_0, READ_WRITE_10, READ_WRITE_50, READ_WRITE_FOUR_JVMS ->
                List.of(
                        spread("pairs/s", Round::rate),
                        ratio("x Redisson", Contestant.REDISSON_READ_WRITE, Round::rate),
                        spread("longest wait ms", of(Figure.LONGEST_WAIT_MILLIS)),
                        clientCpu(),
                        serverCpu(),
                        median("errors", of(Figure.ERRORS)));
            case HAND_OFF ->
                List.of(
                        spread("hand-offs a round", of(Figure.HAND_OFFS)),
                        median("pairs/s", Round::rate),
                        spread("scripts/hand-off", of(Figure.SCRIPTS_PER_HAND_OFF)),
                        spread("gap us", of(Figure.GAP_MICROS)),
                        spread("round trip us", of(Figure.ROUND_TRIP_MICROS)),
                        spread("gap in round trips", of(Figure.GAP_ROUND_TRIPS)),
                        spread("release us", of(Figure.RELEASE_MICROS)),
                        spread("longest wait ms", of(Figure.LONGEST_WAIT_MILLIS)),
                        median("errors", of(Figure.ERRORS)));
            case WAITERS_10_NAMES, WAITERS_1000_NAMES, WAITERS_60_JVMS, FAIR ->
                List.of(
                        spread("served", of(Figure.SERVED)),
                        spread("all served within s", of(Figure.SERVED_SECONDS)),
                        spread("idle commands/s a waiter", of(Figure.IDLE_COMMANDS)),
                        median("subscriptions", of(Figure.SUBSCRIPTIONS)),
                        spread("out of order", of(Figure.OUT_OF_ORDER)),
                        median("client CPU us/waiter", round -> round.sample().clientMicros()),
                        median("server CPU us/waiter", round -> round.sample().serverMicros()));
            case RETAINED ->
                List.of(
                        spread("pairs/s", Round::rate),
                        spread("commands/s", of(Figure.COMMANDS_PER_SECOND)),
                        spread("acquire after another process us", of(Figure.TAKE_MICROS)),
                        spread("hand-off us", of(Figure.GAP_MICROS)),
                        clientCpu(),
                        serverCpu(),
                        median("errors", of(Figure.ERRORS)));
            case RENEWAL ->
                List.of(
                        spread("lost", of(Figure.LOST)),
                        spread("client CPU, of a core", of(Figure.CLIENT_CPU)),
                        spread("server CPU, of a core", of(Figure.SERVER_CPU)),
                        ratio("client x Redisson", Contestant.REDISSON, of(Figure.CLIENT_CPU)),
                        ratio(
                                "both x Redisson",
                                Contestant.REDISSON,
                                round -> round.figure(Figure.CLIENT_CPU) + round.figure(Figure.SERVER_CPU)),
                        spread("heap MB", of(Figure.HEAP_MEGABYTES)),
                        ratio("heap x Redisson", Contestant.REDISSON, of(Figure.HEAP_MEGABYTES)));
        };
    }

    /** Returns the unit by which the server's commands are counted. */
    String unit() {
        return switch (this) {
            case ONE_JVM,
                    FOUR_JVMS,
                    HAND_OFF,
                    READ_WRITE_0,
                    READ_WRITE_10,
                    READ_WRITE_50,
                    READ_WRITE_FOUR_JVMS,
                    RETAINED -> "acquire and release";
            case WAITERS_10_NAMES, WAITERS_1000_NAMES, WAITERS_60_JVMS, FAIR -> "waiter served, from the releases on";
            case RENEWAL -> "lock held";
        };
    }

    /** Returns the explanation of how a round is measured. */
    String explanation() {
        return switch (this) {
            case ONE_JVM -> "16 threads acquire and release without a pause";
            case FOUR_JVMS -> "8 threads in each of 4 JVMs acquire and release without a pause";
            case READ_WRITE_0, READ_WRITE_10, READ_WRITE_50, READ_WRITE_FOUR_JVMS ->
                "all threads acquire and release one side of one read-write lock without a pause, each writing in turns that"
                        + " are spread evenly among those in which it reads";
            case HAND_OFF ->
                "30 JVMs with one thread each; the gap is the time from the call of a release to the next process being"
                        + " holding it, a round trip is a bare script call sent after 5 ms without any, before each round,"
                        + " while no other process works; a release is the time it took its caller, during the round."
                        + " A hand-off is a change of the process; scripts are those of all processes together";
            case WAITERS_10_NAMES, WAITERS_1000_NAMES, WAITERS_60_JVMS ->
                "the time is how long the waiters are left idle, to count the idle commands; served counts from the"
                        + " first release sent to the answer to the last waiter's own release";
            case FAIR ->
                "the waiters of 4 JVMs arrive in 25 steps of one for each name and JVM, each step when the previous one has been"
                        + " registered; out of order counts waiters served after one of a later step; served counts from the first release sent to the answer to the"
                        + " last waiter's own release";
            case RETAINED ->
                "the time is that of one thread that acquires and releases one lock; commands are those that the server read from it."
                        + " Then two processes acquire a lock alternately, each 5 ms after the other has released it. A hand-off is the"
                        + " time from the call of a release to the other process holding the lock, for which it waits, after 5 ms of"
                        + " work. Leasehold retained keeps a released lock for 500 ms unless another client asks for it";
            case RENEWAL ->
                "each contestant in a JVM of its own; leases of 30 s, renewed every 10 s, all by default; heap is the size of"
                        + " the held locks after a collection";
        };
    }

    private static Column clientCpu() {
        return median("client CPU us/pair", round -> round.sample().clientMicros());
    }

    private static Column serverCpu() {
        return median("server CPU us/pair", round -> round.sample().serverMicros());
    }

    private static ToDoubleFunction<Round> of(Figure figure) {
        return round -> round.figure(figure);
    }
}
