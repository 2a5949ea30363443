package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The handbook lists the commands and exit codes that the sources of the command line define. */
class CommandLineTableTest {

    private static final Path SOURCES = Documents.ROOT.resolve("tools/cli/src/main/java");
    private static final Pattern COMMAND = Pattern.compile("@Command\\(\\s*name = \"(\\w+)\"");
    private static final Pattern EXIT_CODE = Pattern.compile("public static final int (\\w+) = (\\d+);");

    @ParameterizedTest
    @EnumSource
    void theTableHasEveryCommand(Handbook handbook) {
        Set<String> commands = new TreeSet<>();
        Documents.files(SOURCES, 20).map(Documents::read).forEach(source -> {
            Matcher matcher = COMMAND.matcher(source);
            while (matcher.find()) {
                commands.add(matcher.group(1));
            }
        });
        commands.remove("leasehold");
        assertThat(rows(handbook, "command-").stream()
                        .map(row -> row.cells().get(0).replaceAll("`(\\w+).*", "$1"))
                        .collect(Collectors.toSet()))
                .isEqualTo(commands);
    }

    @ParameterizedTest
    @EnumSource
    void theExitCodesAreThoseOfTheCode(Handbook handbook) {
        String codes = Documents.files(SOURCES, 20)
                .filter(source -> source.endsWith("ExitCode.java"))
                .map(Documents::read)
                .collect(Collectors.joining());
        Set<String> expected = new TreeSet<>();
        Matcher matcher = EXIT_CODE.matcher(codes);
        while (matcher.find()) {
            expected.add(matcher.group(1) + " " + matcher.group(2));
        }
        assertThat(rows(handbook, "exit-").stream()
                        .map(row -> row.id().substring("exit-".length()) + " "
                                + row.cells().get(0))
                        .collect(Collectors.toSet()))
                .isEqualTo(expected);
    }

    private static List<Markdown.Row> rows(Handbook handbook, String id) {
        return handbook.rowsWithId().stream()
                .filter(row -> row.id().startsWith(id))
                .toList();
    }
}
