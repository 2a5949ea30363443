package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages about logs name the loggers, and the reasons why a connection is replaced, as the code has them. */
class LogsDocumentTest {

    private static final Pattern LOGGER = Pattern.compile("getLogger\\(\"(dev\\.leasehold\\.[a-z.]+)\"\\)");
    private static final Pattern DOCUMENTED = Pattern.compile("`(dev\\.leasehold\\.[a-z.]+)`");

    /** A text that goes behind "The connection ... is replaced: ". */
    private static final Pattern REASON = Pattern.compile("[\"`]((?:it|its server|another server) [a-z ]+)[\"`]");

    private static Set<String> all(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void everyLoggerWithANameOfItsOwnIsInTheTable() {
        Set<String> inCode = new TreeSet<>();
        Documents.files(Documents.ROOT, 20)
                .map(Path::toString)
                .filter(file -> file.matches(".*/src/main/(java|kotlin)/.*\\.(java|kt)"))
                .forEach(file -> inCode.addAll(all(LOGGER, Documents.read(Path.of(file)))));
        Set<String> documented = new TreeSet<>();
        Documents.markdown("docs/observing.md").rows().stream()
                .map(row -> row.cells().get(0))
                .filter(cell -> cell.startsWith("`dev.leasehold.") && !cell.matches(".*[A-Z].*"))
                .forEach(cell -> documented.addAll(all(DOCUMENTED, cell)));
        assertThat(documented).hasSizeGreaterThan(10).isEqualTo(inCode);
    }

    @ParameterizedTest
    @EnumSource
    void everyReasonForWhichAConnectionIsReplacedIsInTheTable(Handbook handbook) {
        Set<String> inCode = new TreeSet<>();
        Stream.of("SharedPath", "SharedConnection", "Subscriptions", "KeyTracking", "SingleServer")
                .forEach(source -> inCode.addAll(all(REASON, Documents.source(source))));
        Set<String> documented = new TreeSet<>();
        Documents.markdown(handbook.path("how-to/hanging.md"))
                .rows()
                .forEach(row -> documented.addAll(all(REASON, row.cells().get(0))));
        assertThat(documented).hasSizeGreaterThan(4).isEqualTo(inCode);
    }
}
