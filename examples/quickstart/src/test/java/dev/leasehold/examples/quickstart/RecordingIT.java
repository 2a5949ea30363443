package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands with which the handbook records the events of the flight recorder record them on this JDK. */
@WithRedis
class RecordingIT {

    private static final Path PAGE = Documents.ROOT.resolve("docs/observing.md");
    private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");

    /** The application of the command: its events are too short for a recording without the settings of the command. */
    static final class Application {

        private Application() {}

        /** Acquires a free lock at the server of the first argument. */
        public static void main(String[] args) throws Exception {
            RedirectingProvider.leadTo(args[0]);
            try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379");
                    Lease lease = leasehold.lock("recorded").acquire()) {
                lease.ensureHeld();
            }
        }
    }

    private static List<String> documented(String program) {
        String line = Documents.read(PAGE)
                .lines()
                .filter(one -> one.startsWith(program + " "))
                .findFirst()
                .orElseThrow();
        return Stream.of(line.split(" "))
                .skip(1)
                .filter(arg -> !arg.equals("..."))
                .toList();
    }

    private static String run(Path directory, String program, List<String> args) throws Exception {
        List<String> command = new ArrayList<>(List.of(BIN.resolve(program).toString()));
        command.addAll(args);
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theCommandsOfTheHandbookRecordShortEventsAndPrintThem(EmbeddedRedis redis, @TempDir Path directory)
            throws Exception {
        List<String> args = new ArrayList<>();
        // The application does not run for so long.
        documented("java").forEach(arg -> args.add(arg.replace("duration=60s", "dumponexit=true")));
        args.addAll(List.of("-cp", System.getProperty("java.class.path"), Application.class.getName(), redis.uri()));
        String said = run(directory, "java", args);
        assertThat(run(directory, "jfr", documented("jfr")))
                .as(said)
                .contains("dev.leasehold.Acquire {", "dev.leasehold.Hold {", "lock = \"recorded\"");
    }
}
