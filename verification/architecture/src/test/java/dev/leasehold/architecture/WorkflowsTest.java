package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workflows in {@code .github} call scripts that anybody can run, and have no rights but to read. */
class WorkflowsTest {
    private static final Path FOLDER = Repository.ROOT.resolve(".github/workflows");
    private static final Pattern SCRIPT = Pattern.compile("(?<![\\w/])\\.ci/[\\w-]+");
    private static final Pattern USED = Pattern.compile("(?m)^ *-? *uses: (.+)$");
    private static final String OFFICIAL = "actions/[a-z-]+@v[0-9]+";

    static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @Test
    void runTheFullBuildAndMakeReleases() throws IOException {
        assertThat(workflows().stream().flatMap(WorkflowsTest::scripts)).contains(".ci/run", ".ci/release");
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void callOnlyScriptsThatExist(Path workflow) {
        assertThat(scripts(workflow)).allMatch(script -> Files.isExecutable(Repository.ROOT.resolve(script)));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void useOnlyOfficialActionsAndEachOther(Path workflow) {
        assertThat(found(USED, workflow).map(used -> used.group(1)))
                .isNotEmpty()
                .allMatch(used -> used.startsWith("./")
                        ? Files.isRegularFile(Repository.ROOT.resolve(used))
                        : used.matches(OFFICIAL));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void mayOnlyReadAndHaveATimeLimit(Path workflow) {
        String text = Repository.read(workflow);
        assertThat(text)
                .contains("\npermissions:\n  contents: read\n\n")
                .containsOnlyOnce("permissions:")
                .containsPattern("(?m)^ +(timeout-)?minutes: ");
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void nameNoHost(Path workflow) {
        assertThat(Repository.read(workflow)).doesNotContain("://").doesNotContain("registry");
    }

    private static Stream<String> scripts(Path workflow) {
        return found(SCRIPT, workflow).map(MatchResult::group);
    }

    private static Stream<MatchResult> found(Pattern pattern, Path workflow) {
        return pattern.matcher(Repository.read(workflow)).results();
    }
}
