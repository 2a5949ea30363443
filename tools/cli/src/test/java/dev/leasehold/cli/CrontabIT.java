package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The crontab of the handbook, on two hosts. */
@WithRedis
class CrontabIT {

    private static final Path PAGE = Path.of("..", "..", "docs", "how-to", "scheduled-jobs.md");
    private static final Pattern LINE = Pattern.compile("(?m)^0 3 \\* \\* \\* app leasehold (.*) 2>&1 \\| logger");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

    /** Returns the words of the line, with another report and a longer pause after it. */
    private static String[] words() throws IOException {
        Matcher line = LINE.matcher(Files.readString(PAGE));
        assertThat(line.find()).isTrue();
        return WORD.matcher(line.group(1))
                .results()
                .map(word -> word.group(1) == null ? word.group() : word.group(1))
                .map(word ->
                        word.replace("/usr/local/bin/report", "echo reported").replace("sleep 20", "exec sleep 60"))
                .toArray(String[]::new);
    }

    @Tag("long")
    @Test
    void theJobRunsOnOneHost(EmbeddedRedis redis) throws IOException {
        String[] words = words();
        try (CliProcess one = CliProcess.start(Map.of("LEASEHOLD_REDIS", redis.uri()), "", words)) {
            one.awaitOut("reported");
            CliResult other = CliResult.of(Stream.concat(
                            Stream.of("run", "--redis", redis.uri()),
                            Arrays.stream(words).skip(1))
                    .toArray(String[]::new));
            assertThat(other.exitCode()).isEqualTo(75);
            assertThat(other.out()).isEmpty();
            other.assertOneLineError(
                    "lock 'nightly-report' is held by process " + one.handle().pid());
        }
    }
}
