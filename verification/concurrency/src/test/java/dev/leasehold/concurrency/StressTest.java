package dev.leasehold.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The races of the engine, run for a moment each. {@code verification/concurrency/run} runs them for longer. */
@Tag("full")
class StressTest {

    private static final Path MODULE = Path.of(System.getProperty("leasehold.root"), "verification", "concurrency");
    private static final Path LOG = MODULE.resolve("target/jcstress/log");
    private static final long LIMIT_MINUTES = 5;

    /**
     * A JVM for each race, with the default compilers. The mode alone would run each race a handful of times; so
     * many repetitions in so little time have found each planted bug.
     */
    private static final List<String> OPTIONS =
            List.of("-iters", "1", "-time", "100", "-strideSize", "256", "-strideCount", "40", "-sc", "false");

    private static final List<String> JVM = List.of("-jvmArgs", "-XX:+UseSerialGC");

    private static final Pattern RESULTS =
            Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed, 0 failed, 0 soft errs, 0 hard errs\\)");

    @Test
    void noRaceOfTheEngineEndsInAForbiddenWay() throws IOException, InterruptedException {
        int races = races();
        int status = jcstress();
        String log = Files.readString(LOG);
        assertThat(status).as(log).isZero();
        MatchResult results =
                RESULTS.matcher(log).results().reduce((before, last) -> last).orElseThrow();
        int planned = Integer.parseInt(results.group(1));
        // Up to JDK 17 each runs twice, with and without biased locking.
        assertThat(planned).isIn(races, 2 * races).isPositive();
        assertThat(results.group(2)).as(log).isEqualTo(results.group(1));
    }

    /** Returns the number of races that the annotation processor generated. */
    private static int races() throws IOException {
        return (int) Files.readAllLines(MODULE.resolve("target/test-classes/META-INF/TestList")).stream()
                .filter(line -> !line.isBlank())
                .count();
    }

    private static int jcstress() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(MODULE.resolve("run").toString(), "--mode", "sanity"));
        command.addAll(OPTIONS);
        command.addAll(JVM);
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(run.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES))
                    .as("ended in time")
                    .isTrue();
            return run.exitValue();
        } finally {
            run.destroy();
        }
    }
}
