package dev.leasehold.chaos.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Rule;
import dev.leasehold.chaos.check.Verdict;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {

    private static final int ACQUISITIONS = 40;

    @Test
    void oneOfTwentyMayBeDeclaredUnsafeAndNoMore() {
        assertThat(summary("leasehold", 2).toString()).doesNotContain("too much was declared unsafe");
        assertThat(summary("leasehold", 3).toString()).contains("too much was declared unsafe");
        assertThat(summary("leasehold", 3).status()).isEqualTo(1);
    }

    @Test
    void aRunWithNothingToJudgeIsNotWell() {
        assertThat(summary("leasehold", 0).status()).isEqualTo(2);
    }

    @Test
    void otherLibrariesAlwaysPass() {
        assertThat(summary("redisson", ACQUISITIONS).status()).isZero();
    }

    @Test
    void acquisitionsASecondCountFromTheFirstToTheLast() {
        assertThat(summary("leasehold", 0).toString()).contains("acquisitions   40, 10 a second");
    }

    /** Returns the summary of ten acquisitions a second, of which some were declared unsafe. */
    private static Summary summary(String library, int declared) {
        List<Event> granted = IntStream.range(0, ACQUISITIONS)
                .mapToObj(n -> new Event(n * 100_000_000L, "w0", "0", "w0.0." + n, What.GRANTED, "mutex-0", n, 0, ""))
                .toList();
        Verdict verdict = new Verdict();
        for (int n = 0; n < declared; n++) {
            verdict.declared().add(new Violation(Rule.C1, n, "two holders", List.of()));
        }
        Settings settings = new Settings(
                "standalone",
                "aof",
                List.of("all"),
                4,
                0,
                0,
                1,
                library,
                1,
                1,
                Path.of("histories"),
                "",
                0,
                Settings.LITTLE_CALM_MILLIS,
                0,
                List.of(),
                0);
        return new Summary(settings, granted, verdict, List.of());
    }
}
