package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.check.Comparison;
import dev.leasehold.chaos.check.Rule;
import dev.leasehold.chaos.check.Verdict;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What came of a run. */
public final class Summary {

    private static final int SHOWN = 5;

    /** A run in which more of the acquisitions were unsafe than one of so many says nothing about those that were safe. */
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

    /** What the rules say. */
    public Verdict verdict() {
        return verdict;
    }

    /** How many locks were acquired. */
    public long acquisitions() {
        return acquisitions(events);
    }

    static long acquisitions(List<Event> events) {
        return events.stream().filter(event -> event.is(What.GRANTED)).count();
    }

    /** How many faults struck, by kind. */
    public Map<String, Long> faults() {
        return faults(events);
    }

    private static Map<String, Long> faults(List<Event> events) {
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

    /** How many faults struck. */
    public long struck() {
        return struck(events);
    }

    static long struck(List<Event> events) {
        return faults(events).values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Whether nothing was broken that is promised, little happened where nothing is, and each rule had something to judge; of
     * other libraries nothing is asked.
     */
    public boolean well() {
        return status() == 0;
    }

    private boolean muchDeclared() {
        return verdict.declared().size() * DECLARED_AT_MOST_ONE_OF > acquisitions();
    }

    private boolean peer() {
        return !settings.library().equals("leasehold");
    }

    /** The status with which the command line ends. */
    int status() {
        if (peer()) {
            return 0;
        }
        return !verdict.violations().isEmpty() || muchDeclared() ? 1 : idle().isEmpty() ? 0 : 2;
    }

    /** The rules that had nothing to judge and should have had: a quorum's locks have no owner who counts. */
    public List<Rule> idle() {
        return verdict.idle().stream()
                .filter(rule -> !(rule == Rule.C6 && settings.topology().equals("quorum")))
                .toList();
    }

    /** From the first acquisition to the last one. */
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

    /** What can be said of any library: of one that promises less it is no violation. */
    private void compared(StringBuilder text) {
        Comparison seen = Comparison.of(events, verdict);
        line(text, "acquisitions   %,d, %.0f a second", seen.acquisitions(), seen.acquisitions() / seconds());
        line(text, "overlaps seen  %,d", seen.overlaps());
        line(text, "losses told    %,d, by release alone %,d", seen.lossesTold(), seen.lossesToldByRelease());
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
                "attempts       granted %,d, not to be had %,d, unavailable %,d (may have been taken %,d), refused %,d",
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
                    of(verdict.violations(), rule),
                    of(verdict.declared(), rule));
        }
        line(
                text,
                "declared unsafe per 1,000 acquisitions: %.3f",
                1000.0 * verdict.declared().size() / Math.max(1, acquisitions));
        for (int n = 0; n < usage.size(); n++) {
            line(text, "%s %s", n == 0 ? "at the start   " : "at the end     ", usage.get(n));
        }
        verdict.violations().stream().limit(SHOWN).forEach(one -> line(text, "%s", one));
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
