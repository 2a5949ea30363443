package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.event.FailureReason;
import dev.leasehold.event.LossCause;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The queries of the dashboard use existing meters, and all of them; those of the alerting rules use existing ones, too. */
class DashboardTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path FILE = ROOT.resolve("docs/grafana/leasehold.json");
    private static final Path RULES = ROOT.resolve("docs/grafana/alerts.yml");
    /** The labels that Prometheus adds to every sample. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

    private static final int RULES_THERE_ARE = 8;

    private static final Pattern METRIC = Pattern.compile("leasehold_[a-z_]+");
    private static final Pattern SAMPLE = Pattern.compile("^(leasehold_[a-z_]+)(?:\\{([^}]*)})? ");
    private static final Pattern BY = Pattern.compile("by \\(([a-z, ]+)\\)");
    private static final Pattern RULE = Pattern.compile("(?m)^ +expr: (.+)$");
    /** The name of a rule, its query, its threshold, and for how long it must hold. */
    private static final Pattern ALERT = Pattern.compile("alert: (\\w+)\\s+expr: (.+) > (\\d+)((?:\\s+for: \\d+m)?)");

    private static final Pattern SECTION = Pattern.compile("runbook_url: ([^#\\s]+)#(\\S+)");
    private static final Pattern TIMES = Pattern.compile("(?:\\[|for: )(\\d+)m");
    private static final Pattern ANNOTATION = Pattern.compile("\\$labels\\.([a-z]+)");
    private static final Pattern MATCHER = Pattern.compile("([a-z]+=\"[a-z_]+\")");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{([a-z]+)}}");

    private record Query(String text, String legend) {

        Set<String> metrics() {
            return all(METRIC, text);
        }

        Set<String> labels() {
            Set<String> labels = new HashSet<>();
            all(BY, text).forEach(several -> labels.addAll(List.of(several.split(", *"))));
            return labels;
        }
    }

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(matcher.groupCount()));
        }
        return found;
    }

    private static List<Query> queries() throws IOException {
        JsonNode dashboard = new ObjectMapper().readTree(FILE.toFile());
        List<Query> queries = new ArrayList<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                queries.add(new Query(
                        target.get("expr").asText(), target.get("legendFormat").asText()));
            }
        }
        for (JsonNode variable : dashboard.get("templating").get("list")) {
            if (variable.has("definition")) {
                queries.add(new Query(variable.get("definition").asText(), ""));
            }
        }
        return queries;
    }

    private static String scraped() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (InMemoryLeasehold client = InMemoryLeasehold.create(ManualClock.create())) {
            LeaseholdMetrics.of(registry).started(client.inspector(), Diagnostics.of(client));
            return registry.scrape();
        }
    }

    /** Returns the samples that Prometheus reads, by name, with the labels of each. */
    private static Map<String, Set<String>> exported() {
        Map<String, Set<String>> exported = new TreeMap<>();
        scraped().lines().forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.find()) {
                Set<String> labels = exported.computeIfAbsent(sample.group(1), name -> new HashSet<>(OF_PROMETHEUS));
                if (sample.group(2) != null) {
                    labels.addAll(all(Pattern.compile("([a-z]+)=\""), sample.group(2)));
                }
            }
        });
        return exported;
    }

    @Test
    void everyQueryUsesAnExistingMeter() throws IOException {
        Map<String, Set<String>> exported = exported();
        assertThat(queries()).hasSizeGreaterThan(10).allSatisfy(query -> {
            assertThat(query.metrics()).isNotEmpty().isSubsetOf(exported.keySet());
            query.metrics()
                    .forEach(metric -> assertThat(query.labels()).as(metric).isSubsetOf(exported.get(metric)));
            assertThat(all(LEGEND, query.legend())).as(query.legend()).isSubsetOf(query.labels());
        });
    }

    @Test
    void everyMeterIsShown() throws IOException {
        Set<String> shown = new TreeSet<>();
        queries().forEach(query -> shown.addAll(query.metrics()));
        assertThat(shown).containsExactlyInAnyOrderElementsOf(exported().keySet());
    }

    /** The page says "more than", and so do the rules: at the threshold itself nothing fires. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            docs/how-to/alerts.md; (more|longer) than %s; %s min
            docs/zh/how-to/alerts.md; 超过 %s; %s 分钟
            """)
    void thePageOfAlertsHasTheThresholdsAndTimesOfTheRules(String page, String threshold, String minutes)
            throws IOException {
        String text = Files.readString(ROOT.resolve(page));
        Matcher rule = ALERT.matcher(Files.readString(RULES));
        int rules = 0;
        while (rule.find()) {
            String alert = rule.group(1);
            Matcher row =
                    Pattern.compile("(?m)^\\| `" + alert + "` \\| ([^|]+)").matcher(text);
            assertThat(row.find()).as(alert).isTrue();
            if (!rule.group(3).equals("0")) {
                assertThat(row.group(1)).containsPattern(threshold.formatted(rule.group(3)) + "\\b");
            }
            for (String time : all(TIMES, rule.group(2) + rule.group(4))) {
                assertThat(row.group(1)).contains(minutes.formatted(time));
            }
            rules++;
        }
        assertThat(rules).isEqualTo(RULES_THERE_ARE);
    }

    /** A rule that compares with a value that no sample has would never fire. */
    @Test
    void everyAlertingRuleUsesExistingMetersAndLabels() throws IOException {
        String rules = Files.readString(RULES);
        List<Query> queries = all(RULE, rules).stream()
                .map(expression -> new Query(expression, ""))
                .toList();
        Map<String, Set<String>> exported = exported();
        assertThat(queries).hasSize(RULES_THERE_ARE).allSatisfy(query -> {
            assertThat(query.metrics()).isNotEmpty().isSubsetOf(exported.keySet());
            query.metrics()
                    .forEach(metric -> assertThat(query.labels()).as(metric).isSubsetOf(exported.get(metric)));
            assertThat(all(MATCHER, query.text().replace("!=", "=")))
                    .allSatisfy(label -> assertThat(scraped()).contains(label));
        });
        assertThat(all(ANNOTATION, rules)).containsExactly("cause", "instance", "job", "reason");
    }

    private static List<String> rules() throws IOException {
        return List.of(Files.readString(RULES).split("(?m)^ +- alert: ")).subList(1, RULES_THERE_ARE + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs", "docs/zh"})
    void everyAlertingRuleSaysWhatItMeansAndLeadsToItsSectionAndToTheDashboard(String handbook) throws IOException {
        String uid = new ObjectMapper().readTree(FILE.toFile()).get("uid").asText();
        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule).contains("summary: ", "description: ", "dashboard_url: /d/" + uid + "\n");
            Matcher section = SECTION.matcher(rule);
            assertThat(section.find()).isTrue();
            String alert = rule.substring(0, rule.indexOf('\n'));
            assertThat(section.group(2)).isEqualTo(alert.toLowerCase(Locale.ROOT));
            assertThat(Files.readString(ROOT.resolve(handbook).resolve(section.group(1))))
                    .contains("\n### " + alert + "\n");
        });
    }

    /** An alert by cause or by reason tells what to look at for each of them, and so does its section. */
    @ParameterizedTest
    @ValueSource(strings = {"docs/how-to/alerts.md", "docs/zh/how-to/alerts.md"})
    void everyCauseAndEveryReasonHasARowAndIsInTheDescription(String page) throws IOException {
        Set<String> causes = names(LossCause.values());
        Set<String> reasons = names(FailureReason.values());
        // The application closes its client itself.
        reasons.remove("closed");
        String text = Files.readString(ROOT.resolve(page));
        causes.forEach(cause -> assertThat(text).contains("\n| `" + cause + "` |"));
        reasons.forEach(reason -> assertThat(text).contains("\n| `" + reason + "` |"));
        for (String rule : rules()) {
            String description = rule.substring(rule.indexOf("description: "));
            Set<String> told = new TreeSet<>();
            told.addAll(rule.contains("by (instance, cause)") ? causes : Set.of());
            told.addAll(rule.contains("by (instance, reason)") ? reasons : Set.of());
            assertThat(told).allSatisfy(name -> assertThat(description).contains(name));
        }
    }

    private static Set<String> names(Enum<?>[] values) {
        Set<String> names = new TreeSet<>();
        List.of(values).forEach(value -> names.add(value.name().toLowerCase(Locale.ROOT)));
        return names;
    }
}
