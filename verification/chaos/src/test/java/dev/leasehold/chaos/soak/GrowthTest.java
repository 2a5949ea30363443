package dev.leasehold.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The judge of growth, with samples of real runs and with made ones. */
class GrowthTest {

    private static final int MOMENTS = 40;

    @Test
    void aRunWithoutALeakHasNotGrown() {
        assertThat(Growth.beyondBounds(recorded("sound"))).isEmpty();
    }

    @Test
    void aRunWhoseShortLivedClientsWereNotClosedHasGrown() {
        List<String> grown = Growth.beyondBounds(recorded("leak"));

        assertThat(grown)
                .anyMatch(one -> one.startsWith("w0 heap grew"))
                .anyMatch(one -> one.startsWith("w0 threads grew"))
                .anyMatch(one -> one.startsWith("w0 files grew"))
                .anyMatch(one -> one.startsWith("server connections grew"));
    }

    @Test
    void growthAtTheStartIsWarmingUp() {
        assertThat(Growth.beyondBounds(made("w0 heap", second -> Math.min(second, MOMENTS / 4) * 1_000L)))
                .isEmpty();
    }

    @Test
    void aFewHighValuesAreNoGrowth() {
        assertThat(Growth.beyondBounds(made("w0 heap", second -> second > 35 ? 90_000L : 9_000L)))
                .isEmpty();
    }

    @Test
    void growthIsJudgedByTheDifferenceOfMedians() {
        assertThat(Growth.beyondBounds(made("server connections", second -> second < 30 ? 10L : 14L)))
                .isEmpty();
        assertThat(Growth.beyondBounds(made("server connections", second -> second < 30 ? 10L : 15L)))
                .containsExactly("server connections grew from 10 to 15, by more than 4");
    }

    @Test
    void aFewSamplesProveNothing() {
        Samples samples = made("w0 heap", second -> 9_000L);
        samples.series().replaceAll((series, values) -> values.subList(0, 7));

        assertThat(Growth.beyondBounds(samples))
                .containsExactly("there are 7 samples, and fewer than 8 show no growth");
    }

    /** A group of threads of which none runs is not in a sample. */
    @Test
    void anAbsentGroupOfThreadsCountsAsNone() {
        assertThat(Growth.beyondBounds(withGroupSince(30)))
                .containsExactly("w0 threads:late grew from 0 to 5, by more than 3");
        assertThat(Growth.beyondBounds(withGroupSince(MOMENTS - 2))).isEmpty();
    }

    private static Samples withGroupSince(int moment) {
        Samples samples = made("w0 threads:steady", second -> 5L);
        samples.series()
                .put(
                        "w0 threads:late",
                        samples.series().get("w0 threads:steady").subList(moment, MOMENTS));
        return samples;
    }

    @Test
    void theReportSaysWhatHasGrownAndThatTheRunFailed() {
        Samples samples = recorded("leak");
        samples.series().keySet().removeIf(series -> !series.equals("server connections"));

        assertThat(SoakReport.lines(samples, "0123abc", "all rules held", false))
                .anyMatch(line -> line.startsWith("- grown: server connections grew from "))
                .contains("- verdict: FAILED")
                .anyMatch(line -> line.matches("\\| server connections \\|.* GROWN \\|"))
                .contains("all rules held");
    }

    private static Samples made(String series, IntToLongFunction value) {
        return Samples.parse(
                IntStream.range(0, MOMENTS).mapToObj(n -> n + "\t" + series + "\t" + value.applyAsLong(n)));
    }

    private static Samples recorded(String run) {
        Path file = Path.of(Objects.requireNonNull(GrowthTest.class.getResource(run + ".tsv"))
                .getPath());
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            return Samples.parse(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
