package dev.leasehold.drill.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.drill.judge.Observation;
import dev.leasehold.drill.scenario.Scenarios;
import dev.leasehold.drill.watch.FiredAlert;
import dev.leasehold.drill.watch.LogSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {

    private static Result result(List<String> findings) {
        Observation seen = new Observation(
                Duration.ofSeconds(20),
                Duration.ofMillis(1_234),
                Map.of("200", 1_000L),
                List.of(new FiredAlert("LeaseholdUnavailable", "instance=a", 3, 9)),
                List.of(),
                true,
                Map.of("a", new LogSummary(Map.of("INFO", 5, "WARN", 2), 3, Map.of("WARN x: broke", 2))),
                Map.of("leasehold_acquired_total", 999.0, "leasehold_busy_total", 0.0),
                List.of(),
                List.of(),
                "15 connections; then 15 connections");
        return new Result(Scenarios.named("steady"), seen, findings);
    }

    @Test
    void aScenarioHasARowAndASection() {
        List<String> lines = Report.lines(Map.of("Date", "today"), List.of(result(List.of())), List.of());
        assertThat(lines)
                .contains(
                        "- Date: today",
                        "| steady | yes | 200: 1,000 | 1.2 s | LeaseholdUnavailable | 5 |",
                        "## steady",
                        "As expected.",
                        "- Alerts: LeaseholdUnavailable {instance=a} from 3 s to 9 s",
                        "| a | 5 | 2 | 0 | 3 |",
                        "a: 2 x WARN x: broke",
                        "| `leasehold_acquired_total` | 999 |",
                        "Keys in Redis after all instances have ended: none.")
                .noneMatch(line -> line.contains("leasehold_busy_total"));
    }

    @Test
    void findingsAndKeysThatAreLeftAreShown() {
        Result found = result(List.of("callers saw \"500\" 2 times"));
        List<String> left = List.of("leasehold:{x}");
        assertThat(Report.lines(Map.of(), List.of(found), left))
                .contains("- **Finding**: callers saw \"500\" 2 times")
                .contains("Keys in Redis after all instances have ended: `leasehold:{x}`")
                .anyMatch(line -> line.startsWith("| steady | **no** |"));
        assertThat(Report.well(List.of(found), List.of())).isFalse();
        assertThat(Report.well(List.of(result(List.of())), left)).isFalse();
        assertThat(Report.well(List.of(result(List.of())), List.of())).isTrue();
    }

    @Test
    void onlyAnswersOfTheScenarioCount() {
        assertThat(Drill.growth(Map.of("200", 5L, "503", 1L), Map.of("200", 7L, "409", 2L, "503", 1L)))
                .isEqualTo(Map.of("200", 2L, "409", 2L));
    }
}
