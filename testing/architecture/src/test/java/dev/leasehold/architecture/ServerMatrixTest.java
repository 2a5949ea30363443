package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verification/servers/run} writes what the reports of Maven say, here with a Maven and servers that are scripts. */
class ServerMatrixTest {

    private static final String PAGE = "docs/servers.md";
    private static final String ROW =
            "\\| (Redis|Valkey) [\\d.]+\\S* \\| (Lettuce|Jedis) \\| \\d+ \\| \\d+(: .+)? \\| \\d+ \\| \\d{4}-\\d\\d-\\d\\d \\|";

    private static final String REPORT = """
            <testsuite name="x" tests="3" errors="1" failures="1">
              <testcase name="holds" classname="dev.leasehold.tck.MutexContract[4]" time="0.1"/>
              <testcase name="waits(int)[2]" classname="dev.leasehold.tck.MutexContract[4]" time="0.1">
                <failure message="&lt;error>">text</failure>
              </testcase>
              <testcase name="isHeard" classname="dev.leasehold.tck.ShardChannelsContract[1]" time="0.1">
                <error message="unknown command">text</error>
              </testcase>
            </testsuite>
            """;

    @TempDir
    private Path directory;

    private Path repository;

    @BeforeEach
    void copyTheScript() throws IOException {
        repository = directory.resolve("repository");
        for (String file : List.of("verification/servers/run", "verification/servers/not-applicable", PAGE)) {
            Path copy = repository.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.copy(Repository.ROOT.resolve(file), copy);
        }
        program(repository.resolve("verification/servers/run"), null);
        Path page = repository.resolve(PAGE);
        Files.writeString(page, Files.readString(page).replaceAll("(?m)^\\| (Redis|Valkey) .*\\n", ""));
        Path report = Files.writeString(directory.resolve("report.xml"), REPORT);
        StringBuilder maven = new StringBuilder("test -x \"$LEASEHOLD_REDIS_SERVER\"");
        for (String module : List.of("testing/lettuce", "clients/jedis")) {
            Path reports = repository.resolve(module + "/target/failsafe-reports");
            maven.append(" && mkdir -p " + reports + " && cp " + report + " " + reports + "/TEST-MutexContract.xml");
        }
        program(directory.resolve("mvn"), maven.toString());
    }

    private static Path program(Path file, String script) throws IOException {
        if (script != null) {
            Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        }
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private Path server(String version) throws IOException {
        return program(directory.resolve("server-" + version.hashCode()), "echo '" + version + " sha=0 bits=64'");
    }

    private int run(Object... arguments) throws Exception {
        ProcessBuilder process = new ProcessBuilder(
                repository.resolve("verification/servers/run").toString());
        for (Object each : arguments) {
            process.command().addAll(List.of("--server", each.toString()));
        }
        process.environment().put("PATH", directory + ":" + System.getenv("PATH"));
        Path output = directory.resolve("output");
        return process.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
    }

    private List<String> rows() throws IOException {
        return Files.readAllLines(repository.resolve(PAGE), StandardCharsets.UTF_8).stream()
                .filter(line -> line.matches("\\| (Redis|Valkey) .*"))
                .map(line -> line.replaceAll("\\d{4}-\\d\\d-\\d\\d", "today"))
                .toList();
    }

    @Test
    void aRowHasWhatPassedAndFailedAndWhatDoesNotApply() throws Exception {
        assertThat(run(
                        server("Valkey server v=8.0.1"),
                        server("Redis server v=7.4.1"),
                        server("Redis server v=6.2.16")))
                .isEqualTo(1);
        String failures = "MutexContract[4].waits";
        String two = " | 1 | 2: " + failures + ", ShardChannelsContract[1].isHeard | 0 | today |";
        assertThat(rows())
                .containsExactly(
                        "| Redis 6.2.16 | Jedis | 1 | 1: " + failures + " | 1 | today |",
                        "| Redis 6.2.16 | Lettuce | 1 | 1: " + failures + " | 1 | today |",
                        "| Redis 7.4.1 | Jedis" + two,
                        "| Redis 7.4.1 | Lettuce" + two,
                        "| Valkey 8.0.1 | Jedis" + two,
                        "| Valkey 8.0.1 | Lettuce" + two);
    }

    @Test
    void anotherRunReplacesTheRowOfItsServerAndNothingElse() throws Exception {
        Path page = repository.resolve(PAGE);
        run(server("Redis server v=7.4.1"), server("Redis server v=7.4.10"));
        String before = Files.readString(page);
        run(server("Redis server v=7.4.1"));
        assertThat(Files.readString(page)).isEqualTo(before);
        assertThat(before)
                .startsWith(Repository.read(Repository.ROOT.resolve(PAGE)).split("<!-- servers -->")[0])
                .contains("\n\nManaged services");
    }

    @Test
    void aProgramThatIsNoServerIsRefusedBeforeAnyRun() throws Exception {
        assertThat(run(server("Redis server v=7.4.1"), server("bash, version 5")))
                .isEqualTo(2);
        assertThat(rows()).isEmpty();
        assertThat(Files.readString(directory.resolve("output"))).contains("does not answer --version as");
    }

    @Test
    void aRunInWhichNothingPassedLeavesTheRowAsItIs() throws Exception {
        run(server("Redis server v=7.4.1"));
        List<String> before = rows();
        Files.writeString(directory.resolve("report.xml"), REPORT.replaceAll("(?m)^.*name=\"holds\".*\\n", ""));
        assertThat(run(server("Redis server v=7.4.1"))).isEqualTo(1);
        assertThat(rows()).isEqualTo(before).hasSize(2);
        assertThat(Files.readString(directory.resolve("output"))).contains("no contract passed on Redis 7.4.1");
    }

    @Test
    void theStoredTableHasARowForEachSupportedGeneration() {
        List<String> rows = Repository.read(Repository.ROOT.resolve(PAGE))
                .lines()
                .filter(line -> line.matches("\\| (Redis|Valkey) .*"))
                .toList();
        assertThat(rows).allMatch(row -> row.matches(ROW));
        assertThat(rows).anyMatch(row -> row.startsWith("| Redis 6.2.")).anyMatch(row -> row.startsWith("| Valkey "));
    }
}
