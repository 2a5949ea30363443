package dev.leasehold.drill.drive;

import dev.leasehold.drill.judge.Observation;
import dev.leasehold.drill.watch.FiredAlert;
import dev.leasehold.drill.watch.LogSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of a drill, in Markdown. */
public final class Report {

    private static final int WARNINGS = 12;
    private static final int CHARACTERS = 220;

    private final List<String> lines = new ArrayList<>();

    private Report() {}

    /**
     * Writes the report.
     *
     * @param facts of the run, such as versions, by name
     * @param results of all scenarios
     * @param left the keys that were left in Redis at the end
     * @return its lines
     */
    public static List<String> lines(Map<String, String> facts, List<Result> results, List<String> left) {
        Report report = new Report();
        report.add("# Operations drill", "");
        facts.forEach((name, value) -> report.add("- " + name + ": " + value));
        report.add("");
        report.summary(results);
        report.add("", "Keys in Redis after all instances have ended: " + (left.isEmpty() ? "none." : code(left)));
        results.forEach(report::section);
        return report.lines;
    }

    /**
     * Returns whether all was as expected.
     *
     * @param results of all scenarios
     * @param left the keys that were left
     * @return whether there is no finding
     */
    public static boolean well(List<Result> results, List<String> left) {
        return left.isEmpty()
                && results.stream().allMatch(result -> result.findings().isEmpty());
    }

    private void add(String... some) {
        lines.addAll(List.of(some));
    }

    private void summary(List<Result> results) {
        add(
                "| scenario | as expected | answers | longest time without a grant | alerts | warnings and stack lines of an instance, at most |");
        add("| --- | --- | --- | --- | --- | --- |");
        for (Result result : results) {
            Observation seen = result.seen();
            add("| " + result.scenario().name() + " | " + (result.findings().isEmpty() ? "yes" : "**no**") + " | "
                    + counts(seen.answers()) + " | " + seconds(seen.longestGap().toMillis()) + " | " + names(seen)
                    + " | "
                    + seen.logs().values().stream()
                            .mapToInt(LogSummary::troubled)
                            .max()
                            .orElse(0)
                    + " |");
        }
    }

    private static String names(Observation seen) {
        String names = seen.alerts().stream().map(FiredAlert::name).distinct().collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    private void section(Result result) {
        Observation seen = result.seen();
        add(
                "",
                "## " + result.scenario().name(),
                "",
                result.scenario().what() + " " + result.scenario().why(),
                "");
        if (result.findings().isEmpty()) {
            add("As expected.");
        } else {
            result.findings().forEach(finding -> add("- **Finding**: " + finding));
        }
        add(
                "",
                "- Time: " + seconds(seen.time().toMillis()) + ", of which the longest without a grant "
                        + seconds(seen.longestGap().toMillis()));
        add("- Answers: " + counts(seen.answers()));
        add("- Alerts: " + listed(seen.alerts()));
        add("- Health: " + listed(seen.health()));
        add("- Connections at the primary: " + seen.connections());
        if (!seen.denials().isEmpty()) {
            add("- Denied: " + code(seen.denials()));
        }
        logs(seen);
        metrics(seen);
    }

    private void logs(Observation seen) {
        add("", "| log | INFO | WARN | ERROR | further lines |", "| --- | --- | --- | --- | --- |");
        seen.logs()
                .forEach((instance, log) -> add("| " + instance + " | " + level(log, "INFO") + " | "
                        + level(log, "WARN") + " | " + level(log, "ERROR") + " | " + log.further() + " |"));
        List<String> warnings = new ArrayList<>();
        seen.logs()
                .forEach((instance, log) -> log.warnings().entrySet().stream()
                        .limit(WARNINGS)
                        .forEach(warning -> warnings.add(
                                instance + ": " + warning.getValue() + " x " + shortened(warning.getKey()))));
        if (!warnings.isEmpty()) {
            add("", "```text");
            lines.addAll(warnings);
            add("```");
        }
    }

    private static int level(LogSummary log, String level) {
        return log.events().getOrDefault(level, 0);
    }

    private static String shortened(String text) {
        return text.length() > CHARACTERS ? text.substring(0, CHARACTERS) + " ..." : text;
    }

    private void metrics(Observation seen) {
        add("", "| metric | all instances |", "| --- | --- |");
        seen.metrics().forEach((name, value) -> {
            if (value > 0) {
                add("| `" + name + "` | " + number(value) + " |");
            }
        });
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.3f", value);
    }

    private static String counts(Map<String, Long> answers) {
        return answers.entrySet().stream()
                .map(answer -> answer.getKey() + ": " + String.format(Locale.ROOT, "%,d", answer.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String listed(List<?> some) {
        return some.isEmpty() ? "none" : some.stream().map(Object::toString).collect(Collectors.joining("; "));
    }

    private static String code(List<String> some) {
        return some.stream().map(each -> "`" + each + "`").collect(Collectors.joining(", "));
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }
}
