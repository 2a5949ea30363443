package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The counts of a run that apply to any library, whatever it promises; none of them is called a violation.
 *
 * @param acquisitions the number of acquisitions
 * @param overlaps how often two clients considered themselves the holder of a lock at the same time
 * @param lossesReported the number of losses reported while the lock was used
 * @param lossesReportedByRelease the number of losses reported only by the release
 * @param staleWrites the number of increments without a token that overwrote another's
 * @param fenced whether there were tokens
 * @param staleFencedWrites the number of writes with a token that were accepted after a higher one, or overwrote
 *     another's
 * @param standStillNanos the longest time in which a lock was requested, and no client had it
 */
public record Comparison(
        long acquisitions,
        long overlaps,
        long lossesReported,
        long lossesReportedByRelease,
        long staleWrites,
        boolean fenced,
        long staleFencedWrites,
        long standStillNanos) {

    /** Counts the events of a run. */
    public static Comparison of(List<Event> events, Verdict verdict) {
        long acquisitions = 0;
        Set<String> reported = new HashSet<>();
        Set<String> byRelease = new HashSet<>();
        long stale = 0;
        boolean fenced = false;
        for (Event event : events) {
            switch (event.what()) {
                case GRANTED -> {
                    acquisitions++;
                    fenced |= event.token() > 0;
                }
                case LOST -> reported.add(event.op());
                case RELEASE_LOST -> byRelease.add(event.op());
                case WITNESS_WROTE -> stale += event.note().equals("lost") ? 1 : 0;
                default -> {}
            }
        }
        byRelease.removeAll(reported);
        return new Comparison(
                acquisitions,
                seen(verdict, Rule.C1),
                reported.size(),
                byRelease.size(),
                stale,
                fenced,
                seen(verdict, Rule.C5),
                StandStill.longest(new Course(events)));
    }

    /** Returns the number of occurrences, whether or not their absence was promised. */
    private static long seen(Verdict verdict, Rule rule) {
        return verdict.violations().stream().filter(one -> one.rule() == rule).count()
                + verdict.declared().stream().filter(one -> one.rule() == rule).count();
    }
}
