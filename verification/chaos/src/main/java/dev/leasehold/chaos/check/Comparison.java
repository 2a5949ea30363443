package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a run says of any library, whatever it promises: it is counted, and nothing of it is called a violation.
 *
 * @param acquisitions how often a lock was handed out
 * @param overlaps how often two took themselves for the holder of a lock at the same time
 * @param lossesTold how many losses were told while the lock was used
 * @param lossesToldByRelease how many were told by nothing but the release
 * @param staleWrites how many increments without a token overwrote another's
 * @param fenced whether there were tokens
 * @param staleFencedWrites how many writes with a token were accepted after a higher one, or overwrote another's
 * @param standStillNanos the longest time in which a lock was asked for, and nobody had it
 */
public record Comparison(
        long acquisitions,
        long overlaps,
        long lossesTold,
        long lossesToldByRelease,
        long staleWrites,
        boolean fenced,
        long staleFencedWrites,
        long standStillNanos) {

    /** Counts. */
    public static Comparison of(List<Event> events, Verdict verdict) {
        long acquisitions = 0;
        Set<String> told = new HashSet<>();
        Set<String> byRelease = new HashSet<>();
        long stale = 0;
        boolean fenced = false;
        for (Event event : events) {
            switch (event.what()) {
                case GRANTED -> {
                    acquisitions++;
                    fenced |= event.token() > 0;
                }
                case LOST -> told.add(event.op());
                case RELEASE_LOST -> byRelease.add(event.op());
                case WITNESS_WROTE -> stale += event.note().equals("lost") ? 1 : 0;
                default -> {}
            }
        }
        byRelease.removeAll(told);
        return new Comparison(
                acquisitions,
                seen(verdict, Rule.C1),
                told.size(),
                byRelease.size(),
                stale,
                fenced,
                seen(verdict, Rule.C5),
                StandStill.longest(new Course(events)));
    }

    /** Whether or not it was promised. */
    private static long seen(Verdict verdict, Rule rule) {
        return verdict.violations().stream().filter(one -> one.rule() == rule).count()
                + verdict.declared().stream().filter(one -> one.rule() == rule).count();
    }
}
