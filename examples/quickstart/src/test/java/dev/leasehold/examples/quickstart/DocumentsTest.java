package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The links and names of tests in the documents are valid. */
class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT|Contract))#(\\w+)`");

    static List<String> documents() {
        return Documents.all();
    }

    static List<String> everywhere() {
        return Documents.everywhere();
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void everyLinkHasATarget(String file) {
        Path from = Documents.ROOT.resolve(file);
        List<String> dead = new ArrayList<>();
        Matcher link = LINK.matcher(Documents.read(from));
        while (link.find()) {
            String target = link.group(1);
            if (!target.startsWith("https://") && !hasTarget(from, target)) {
                dead.add(target);
            }
        }
        assertThat(dead).isEmpty();
    }

    private static boolean hasTarget(Path from, String target) {
        int hash = target.indexOf('#');
        Path file = hash == 0 ? from : from.resolveSibling(hash < 0 ? target : target.substring(0, hash));
        if (!Files.exists(file)) {
            return false;
        }
        return hash < 0
                || Markdown.of(Documents.read(file)).headings().stream()
                        .anyMatch(heading -> anchor(heading.title()).equals(target.substring(hash + 1)));
    }

    private static String anchor(String title) {
        return title.toLowerCase(java.util.Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} -]", "")
                .replace(' ', '-');
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyNamedTestExists(String file) {
        List<String> missing = new ArrayList<>();
        Matcher test = TEST.matcher(Documents.read(Documents.ROOT.resolve(file)));
        while (test.find()) {
            if (!Documents.source(test.group(1)).contains(" " + test.group(2) + "(")) {
                missing.add(test.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyHazardAndFindingNamesATestOrStatesThatThereIsNone() {
        List<Markdown.Row> rows = new ArrayList<>(table("docs/guarantees/hazards.md", "\\d+"));
        rows.addAll(table("docs/design-decisions.md", "R\\d+"));
        assertThat(rows).hasSizeGreaterThan(40).allSatisfy(row -> {
            String last = row.cells().get(row.cells().size() - 1);
            assertThat(last)
                    .as(row.cells().get(0))
                    .matches(cell -> TEST.matcher(cell).find() || cell.equals("no test yet"));
        });
    }

    /** The catalogue has 56 hazards. Each has one row; the test above checks the tests that it names. */
    @Test
    void everyHazardHasOneRow() {
        assertThat(table("docs/guarantees/hazards.md", "\\d+"))
                .extracting(row -> row.cells().get(0))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 56).mapToObj(Integer::toString).toList());
    }

    private static List<Markdown.Row> table(String file, String firstCell) {
        return Documents.markdown(file).rows().stream()
                .filter(row -> row.cells().get(0).matches(firstCell))
                .toList();
    }
}
