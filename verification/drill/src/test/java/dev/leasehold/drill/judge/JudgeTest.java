package dev.leasehold.drill.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.drill.watch.FiredAlert;
import dev.leasehold.drill.watch.HealthChange;
import dev.leasehold.drill.watch.LogSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JudgeTest {

    private static final Expectation CALM = Expectation.calm();

    private final Judge judge = new Judge(Duration.ofSeconds(10));

    private Map<String, Long> answers = Map.of("200", 100L, "409", 3L);
    private List<FiredAlert> alerts = List.of();
    private List<HealthChange> health = List.of();
    private boolean healthy = true;
    private int warnings;
    private Duration gap = Duration.ofSeconds(1);
    private List<String> denials = List.of();
    private List<String> keys = List.of();

    private List<String> findings(Expectation expected) {
        LogSummary log = new LogSummary(Map.of("WARN", warnings), 0, Map.of());
        Observation seen = new Observation(
                Duration.ofSeconds(20),
                gap,
                answers,
                alerts,
                health,
                healthy,
                Map.of("a", log),
                Map.of(),
                denials,
                keys,
                "");
        return judge.findings(expected, seen);
    }

    private static List<FiredAlert> fired(String... names) {
        return Stream.of(names).map(name -> new FiredAlert(name, "", 3, 9)).toList();
    }

    @Test
    void nothingIsFoundWhereNobodyNoticedAnything() {
        assertThat(findings(CALM)).isEmpty();
    }

    @Test
    void anAnswerThatIsNotExpectedIsFound() {
        answers = Map.of("200", 100L, "500", 2L);
        assertThat(findings(CALM)).containsExactly("callers saw \"500\" 2 times");
        assertThat(findings(CALM.answering("500"))).isEmpty();
    }

    @Test
    void anAlertThatDoesNotFireIsFound() {
        assertThat(findings(CALM.firing("Unavailable"))).containsExactly("Unavailable did not fire");
        alerts = fired("Unavailable");
        assertThat(findings(CALM.firing("Unavailable"))).isEmpty();
    }

    @Test
    void anAlertThatNobodyExpectsIsFound() {
        alerts = fired("Lost", "Lost", "Unavailable");
        assertThat(findings(CALM.firing("Unavailable"))).containsExactly("unexpected alert: Lost from 3 s to 9 s");
        assertThat(findings(CALM.firing("Unavailable").perhapsFiring("Lost"))).isEmpty();
    }

    /** A lease of 10 s lasts for at least 6.7 s after the last renewal. */
    @Test
    void alertsOfLongOutagesAreExpectedAfterLongOutagesOnly() {
        alerts = fired("Lost");
        Expectation expected = CALM.firingAfterLongOutage("Lost");
        assertThat(findings(expected)).hasSize(1);
        gap = judge.lasting();
        assertThat(findings(expected)).isEmpty();
    }

    @Test
    void badHealthIsFound() {
        health = List.of(new HealthChange("a", 1, "DOWN"), new HealthChange("a", 2, "UP"));
        assertThat(findings(CALM)).containsExactly("health was DOWN");
        assertThat(findings(CALM.unhealthyMeanwhile())).isEmpty();
        healthy = false;
        assertThat(findings(CALM.unhealthyMeanwhile())).containsExactly("not all instances were healthy at the end");
    }

    @Test
    void aFloodOfLogLinesIsFound() {
        warnings = 1;
        assertThat(findings(CALM)).hasSize(1);
        gap = Duration.ofSeconds(20);
        warnings = 30;
        assertThat(findings(CALM.logging(10))).isEmpty();
        warnings = 31;
        assertThat(findings(CALM.logging(10)))
                .containsExactly("a logged 31 lines of warnings, errors and stacks; expected at most 30");
        answers = Map.of("500", 1L);
        assertThat(findings(CALM.logging(10).answering("500"))).isEmpty();
    }

    @Test
    void aMissingRightIsFound() {
        denials = List.of("command toplevel unsubscribe app");
        assertThat(findings(CALM)).hasSize(1);
        assertThat(findings(CALM.withDenials())).isEmpty();
    }

    @Test
    void aKeyThatStaysForEverIsFound() {
        keys = List.of("leasehold:{x}");
        assertThat(findings(CALM)).containsExactly("keys without expiry: leasehold:{x}");
    }
}
