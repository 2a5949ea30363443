package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.check.Comparison;
import dev.leasehold.chaos.check.Rule;
import dev.leasehold.chaos.check.Verdict;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import dev.leasehold.chaos.work.Contenders;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The result of a run. */
public final class Summary {

    private static final int SHOWN = 5;

    /** A run proves little if more than one acquisition of so many was unsafe. */
    private static final Set<Rule> SHARED_RULES = Set.of(Rule.C1, Rule.C4, Rule.C5);

    private static final long DECLARED_AT_MOST_ONE_OF = 20;

    private final Settings settings;
    private final List<Event> events;
    private final Verdict verdict;
    private final List<Usage> usage;

    Summary(Settings settings, List<Event> events, Verdict verdict, List<Usage> usage) {
        this.settings = settings;
        this.events = events;
        this.verdict = verdict;
        this.usage = usage;
    }

    /** Returns the verdict of the rules. */
    public Verdict verdict() {
        return verdict;
    }

    /** Returns the number of acquisitions. */
    public long acquisitions() {
        return acquisitions(events);
    }

    static long acquisitions(List<Event> events) {
        return events.stream().filter(event -> event.is(What.GRANTED)).count();
    }

    /** Returns the number of faults, by kind. */
    public Map<String, Long> faults() {
        Map<String, String> kinds = new TreeMap<>();
        Map<String, Long> struck = new TreeMap<>();
        for (Event event : events) {
            if (event.is(What.FAULT_BEGINS)) {
                kinds.put(event.op(), event.note());
            } else if (event.is(What.FAULT_ENDS) && event.note().isEmpty()) {
                struck.merge(kinds.getOrDefault(event.op(), ""), 1L, Long::sum);
            }
        }
        return struck;
    }

    /** Returns the number of faults. */
    public long struck() {
        return faults().values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns whether the run passed: no promise was violated, few events were declared unsafe, and each rule was
     * applied. Other libraries always pass.
     */
    public boolean well() {
        return status() == 0;
    }

    private boolean muchDeclared() {
        return verdict.declared().size() * DECLARED_AT_MOST_ONE_OF > acquisitions();
    }

    private boolean shared() {
        return settings.library().equals(Contenders.SHARED);
    }

    private boolean peer() {
        return !settings.library().equals("leasehold") && !shared();
    }

    /** Returns the violations of what the run promises: of locks that are shared with Redisson, which reports no losses, exclusion and tokens. */
    public List<Violation> violations() {
        return verdict.violations().stream()
                .filter(one -> !shared() || SHARED_RULES.contains(one.rule()))
                .toList();
    }

    /** Returns the exit status of the command line. */
    int status() {
        if (peer()) {
            return 0;
        }
        return !violations().isEmpty() || muchDeclared() ? 1 : idle().isEmpty() ? 0 : 2;
    }

    /** Returns the rules that were never applied and should have been: a quorum's locks have no owner that counts. */
    public List<Rule> idle() {
        return verdict.idle().stream()
                .filter(rule -> !shared() || SHARED_RULES.contains(rule))
                .filter(rule -> !(rule == Rule.C6 && settings.topology().equals("quorum")))
                .toList();
    }

    /** Returns the time from the first acquisition to the last one. */
    private double seconds() {
        var times = events.stream()
                .filter(event -> event.is(What.GRANTED))
                .mapToLong(Event::at)
                .summaryStatistics();
        return times.getCount() < 2 ? 1 : (times.getMax() - times.getMin()) / 1e9;
    }

    private long count(Predicate<Event> which) {
        return events.stream().filter(which).count();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%s, %s, durability %s, seed %d, %d s of faults, %d processes of %d threads",
                settings.library(),
                settings.topology(),
                settings.durability(),
                settings.seed(),
                settings.seconds(),
                settings.processes(),
                settings.threads());
        line(text, "faults         %d: %s", struck(), faults());
        compared(text);
        if (!peer()) {
            judged(text);
        }
        return text.toString();
    }

    /** Appends the counts that apply to any library: for one that promises less they are no violation. */
    private void compared(StringBuilder text) {
        Comparison seen = Comparison.of(events, verdict);
        line(text, "acquisitions   %,d, %.0f a second", seen.acquisitions(), seen.acquisitions() / seconds());
        line(text, "overlaps seen  %,d", seen.overlaps());
        line(text, "losses reported %,d, by release alone %,d", seen.lossesReported(), seen.lossesReportedByRelease());
        line(
                text,
                "stale writes accepted: %,d without a token, %s",
                seen.staleWrites(),
                seen.fenced() ? seen.staleFencedWrites() + " with one" : "and there are no tokens");
        line(text, "longest stand-still %,d ms", TimeUnit.NANOSECONDS.toMillis(seen.standStillNanos()));
    }

    private void judged(StringBuilder text) {
        long acquisitions = acquisitions();
        line(
                text,
                "attempts       granted %,d, busy %,d, unavailable %,d (may have been taken %,d), refused %,d",
                acquisitions,
                count(event -> event.is(What.BUSY)),
                count(event -> event.is(What.UNAVAILABLE)),
                count(event -> event.is(What.UNAVAILABLE) && event.note().equals("maybe")),
                count(event -> event.is(What.REFUSED)));
        line(
                text,
                "at the resource: stale writes and reads refused %,d, writes accepted %,d",
                count(event -> event.is(What.WROTE, What.READ) && event.note().equals("refused")),
                count(event -> event.is(What.WROTE) && event.note().equals("accepted")));
        for (Rule rule : Rule.values()) {
            line(
                    text,
                    "%s  %-28s judged %,9d  broken %d  declared unsafe %d",
                    rule,
                    rule.title(),
                    verdict.judged(rule),
                    of(violations(), rule),
                    of(verdict.declared(), rule));
        }
        line(
                text,
                "declared unsafe per 1,000 acquisitions: %.3f",
                1000.0 * verdict.declared().size() / Math.max(1, acquisitions));
        for (int n = 0; n < usage.size(); n++) {
            line(text, "%s %s", n == 0 ? "at the start   " : "at the end     ", usage.get(n));
        }
        violations().stream().limit(SHOWN).forEach(one -> line(text, "%s", one));
        if (muchDeclared()) {
            line(text, "too much was declared unsafe");
        }
        if (!idle().isEmpty()) {
            line(text, "nothing to judge: %s", idle());
        }
        String refusals = events.stream()
                .filter(event -> event.is(What.REFUSED))
                .collect(Collectors.groupingBy(
                        event -> event.note().split("[:\\s]", -1)[0], TreeMap::new, Collectors.counting()))
                .toString();
        line(text, "refusals       %s", refusals);
        line(text, well() ? "all is well" : "NOT WELL");
    }

    private static long of(List<Violation> some, Rule rule) {
        return some.stream().filter(one -> one.rule() == rule).count();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
