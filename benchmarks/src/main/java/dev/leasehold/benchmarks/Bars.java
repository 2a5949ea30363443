package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Figure;
import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The targets for Leasehold compared with its peers; each of its kinds that took part is judged by its medians. */
final class Bars {

    private final Map<Contestant, List<Round>> measured;
    private final String where;
    private final List<Bar> bars = new ArrayList<>();

    private Bars(Map<Contestant, List<Round>> measured, String where) {
        this.measured = measured;
        this.where = where;
    }

    /** Returns the bars of one situation, if the contestants that they need took part. */
    static List<Bar> of(Situation situation, Map<Contestant, List<Round>> measured) {
        List<Bar> all = new ArrayList<>();
        measured.keySet().stream().filter(situation::judges).forEach(ours -> {
            Bars bars = new Bars(measured, situation.word() + ", " + ours.title() + ": ");
            bars.judge(situation, measured.getOrDefault(ours, List.of()));
            all.addAll(bars.bars);
        });
        return all;
    }

    private void judge(Situation situation, List<Round> ours) {
        switch (situation) {
            case ONE_JVM -> {
                atLeast("pairs/s", 30, Contestant.REDISSON, ours, Round::rate);
                atLeast("pairs/s", 0.5, Contestant.JDK, ours, Round::rate);
            }
            case FOUR_JVMS -> {
                atLeast("pairs/s", 30, Contestant.REDISSON, ours, Round::rate);
                atLeast("pairs/s", 2, Contestant.JEDIS, ours, Round::rate);
                bars.add(Bar.atLeast(
                        where + "slowest JVM", 0.5, " x the fastest", spread(ours, Figure.SLOWEST_TO_FASTEST)));
            }
            case READ_WRITE_0 -> atLeast("pairs/s", 20, Contestant.REDISSON_READ_WRITE, ours, Round::rate);
            case READ_WRITE_10, READ_WRITE_50 ->
                atLeast("pairs/s", 10, Contestant.REDISSON_READ_WRITE, ours, Round::rate);
            case READ_WRITE_FOUR_JVMS -> atLeast("pairs/s", 5, Contestant.REDISSON_READ_WRITE, ours, Round::rate);
            case HAND_OFF -> {
                atMost("scripts per hand-off", 3, "", ours, Figure.SCRIPTS_PER_HAND_OFF);
                atMost("gap", 4, " round trips", ours, Figure.GAP_ROUND_TRIPS);
            }
            case WAITERS_10_NAMES -> {
                atMost("all served", 0.3, " s", ours, Figure.SERVED_SECONDS);
                atMost("idle commands a waiter", 0.05, "/s", ours, Figure.IDLE_COMMANDS);
            }
            case WAITERS_1000_NAMES -> {
                atMost("all served", 0.3, " s", ours, Figure.SERVED_SECONDS);
                // The JVM that holds the locks has a connection of its own.
                atMost("subscriptions of 2 clients", 2, "", ours, Figure.SUBSCRIPTIONS);
                atMost("idle commands a waiter", 0.05, "/s", ours, Figure.IDLE_COMMANDS);
            }
            case WAITERS_60_JVMS -> atMost("idle commands a waiter", 0.5, "/s", ours, Figure.IDLE_COMMANDS);
            case FAIR -> {
                atMost("all served", 2, " s", ours, Figure.SERVED_SECONDS);
                atMost("out of order", 0, "", ours, Figure.OUT_OF_ORDER);
            }
            case RETAINED -> retained(ours);
            case RENEWAL -> {
                atMost("lost", 0, "", ours, Figure.LOST);
                atMost("client CPU", 0.5, ours, round -> round.figure(Figure.CLIENT_CPU));
                atMost(
                        "client and server CPU",
                        1,
                        ours,
                        round -> round.figure(Figure.CLIENT_CPU) + round.figure(Figure.SERVER_CPU));
                atMost("heap", 0.7, ours, round -> round.figure(Figure.HEAP_MEGABYTES));
            }
        }
    }

    private void retained(List<Round> ours) {
        bars.add(Bar.atLeast(where + "pairs/s", 1_000_000, "", Spread.of(ours, Round::rate)));
        atMost("commands", 5, "/s", ours, Figure.COMMANDS_PER_SECOND);
        List<Round> ordinary = measured.get(Contestant.LEASEHOLD);
        if (ordinary != null) {
            double[] ratios = IntStream.range(0, ours.size())
                    .mapToDouble(n -> ours.get(n).figure(Figure.TAKE_MICROS)
                            / ordinary.get(n).figure(Figure.GAP_MICROS))
                    .toArray();
            bars.add(Bar.atMost(
                    where + "acquired by another process", 1.5, " x an ordinary hand-off", Spread.of(ratios)));
        }
    }

    private void atLeast(String what, double bar, Contestant other, List<Round> ours, ToDoubleFunction<Round> value) {
        List<Round> others = measured.get(other);
        if (others != null) {
            bars.add(Bar.atLeast(where + what, bar, " x " + other.title(), Spread.ofRatios(ours, others, value)));
        }
    }

    private void atMost(String what, double bar, List<Round> ours, ToDoubleFunction<Round> value) {
        List<Round> others = measured.get(Contestant.REDISSON);
        if (others != null) {
            bars.add(Bar.atMost(
                    where + what, bar, " x " + Contestant.REDISSON.title(), Spread.ofRatios(ours, others, value)));
        }
    }

    private void atMost(String what, double bar, String unit, List<Round> ours, Figure figure) {
        bars.add(Bar.atMost(where + what, bar, unit, spread(ours, figure)));
    }

    private static Spread spread(List<Round> rounds, Figure figure) {
        return Spread.of(rounds, round -> round.figure(figure));
    }
}
