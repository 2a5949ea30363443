package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sources of the page: what the policy of the browser would refuse, or what would turn data into markup. */
class PageTest {

    private static final Path PAGE = Path.of("src/main/resources/dev/leasehold/console/page");
    private static final Pattern FORBIDDEN = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|createContextualFragment|\\beval\\(|new Function"
                    + "|srcdoc|javascript:|\\bimport\\(");
    private static final Pattern ADDRESS = Pattern.compile("(https?:)?//[\\w.]+");
    private static final Pattern KEY = Pattern.compile("^  '([\\w.]+)': ", Pattern.MULTILINE);

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(PAGE)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void isServed(Path file) throws IOException {
        try (Leasehold leasehold = InMemoryLeasehold.create(ManualClock.create());
                Console console = Console.over(leasehold)) {
            assertThat(console.file(file.getFileName().toString()).orElseThrow().body())
                    .isEqualTo(Files.readString(file));
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void turnsNoDataIntoMarkup(Path file) throws IOException {
        assertThat(found(FORBIDDEN, Files.readString(file))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void loadsNothingFromElsewhere(Path file) throws IOException {
        assertThat(found(ADDRESS, Files.readString(file).replace("http://www.w3.org/2000/svg", "")))
                .filteredOn(text -> !text.startsWith("// "))
                .isEmpty();
    }

    @Test
    void hasNoInlineScriptOrStyle() throws IOException {
        assertThat(Files.readString(PAGE.resolve("index.html")))
                .doesNotContain("<style", "style=", "onclick", "onload")
                .containsOnlyOnce("<script")
                .contains("<script type=\"module\" src=\"app.js\"></script>");
    }

    @Test
    void hasEachTextInBothLanguages() throws IOException {
        String source = Files.readString(PAGE.resolve("i18n.js"));
        int border = source.indexOf("const CHINESE");
        Set<String> english = found(KEY, source.substring(0, border));
        assertThat(english).hasSizeGreaterThan(90).isEqualTo(found(KEY, source.substring(border)));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult result) ->
                        result.groupCount() > 0 && result.group(1) != null ? result.group(1) : result.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
