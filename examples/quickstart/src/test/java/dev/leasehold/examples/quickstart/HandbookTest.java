package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The README is short, both languages are in step, and the figures are those of the reports. */
class HandbookTest {

    private static final int MOST_LINES_OF_A_README = 220;
    private static final int LINES_OF_A_PAGE = 250;
    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");
    private static final Pattern REPORT = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})(-.+\\.md)");

    @ParameterizedTest
    @EnumSource
    void theReadmeIsReadInAMinute(Handbook handbook) {
        assertThat(Documents.read(Documents.ROOT.resolve(handbook.readme())).lines())
                .hasSizeLessThanOrEqualTo(MOST_LINES_OF_A_README);
    }

    static List<String> pages() {
        return Documents.all().stream()
                .filter(document -> document.startsWith("docs/"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageIsShort(String page) {
        assertThat(Documents.read(Documents.ROOT.resolve(page)).lines()).hasSizeLessThan(LINES_OF_A_PAGE);
    }

    @ParameterizedTest
    @EnumSource
    void theReadmeLinksToEveryPage(Handbook handbook) {
        List<String> links = LINK.matcher(Documents.read(Documents.ROOT.resolve(handbook.readme())))
                .results()
                .map(link -> link.group(1))
                .toList();
        assertThat(links)
                .containsAll(handbook.pages().stream().map(handbook::path).toList());
    }

    @Test
    void bothLanguagesHaveTheSamePages() {
        assertThat(Handbook.CHINESE.pages()).hasSizeGreaterThan(10).isEqualTo(Handbook.ENGLISH.pages());
    }

    /** The sentence, the code, the picture and the commands of the README's first screen. */
    @ParameterizedTest
    @EnumSource
    void theHomePageOfTheSiteSaysWhatTheReadmeBeginsWith(Handbook handbook) {
        String readme = Documents.read(Documents.ROOT.resolve(handbook.readme()));
        String screen = readme.substring(0, readme.indexOf("\n## "));
        String home = Documents.read(Documents.ROOT.resolve(handbook.path("index.md")));
        assertThat(home).contains(screen.split("\n\n", 3)[1].replace('\n', ' '));
        assertThat(Markdown.of(home).blocks()).isEqualTo(Markdown.of(screen).blocks());
        assertThat(home).contains(screen.substring(screen.indexOf("!["), screen.indexOf("](docs/images/")));
    }

    /** The paths of each document and its translation. */
    static Stream<Arguments> translations() {
        return Stream.concat(
                Stream.of(
                        Arguments.of(Handbook.ENGLISH.readme(), Handbook.CHINESE.readme()),
                        Arguments.of(Handbook.ENGLISH.path("index.md"), Handbook.CHINESE.path("index.md"))),
                Handbook.ENGLISH.pages().stream()
                        .map(page -> Arguments.of(Handbook.ENGLISH.path(page), Handbook.CHINESE.path(page))));
    }

    @ParameterizedTest
    @MethodSource("translations")
    void bothLanguagesAreInStep(String english, String chinese) {
        Markdown original = Documents.markdown(english);
        Markdown translation = Documents.markdown(chinese);
        assertThat(translation.headings().stream().map(Markdown.Heading::level))
                .containsExactlyElementsOf(original.headings().stream()
                        .map(Markdown.Heading::level)
                        .toList());
        assertThat(translation.blocks().stream().map(HandbookTest::withoutComments))
                .containsExactlyElementsOf(original.blocks().stream()
                        .map(HandbookTest::withoutComments)
                        .toList());
        assertThat(translation.rows().stream().map(row -> row.cells().size() + row.id()))
                .containsExactlyElementsOf(original.rows().stream()
                        .map(row -> row.cells().size() + row.id())
                        .toList());
    }

    /** Comments on commands are translated. */
    private static String withoutComments(Markdown.Block block) {
        return block.language() + ": "
                + (block.language().equals("sh") ? block.text().replaceAll(" *#.*", "") : block.text());
    }

    static Stream<Path> pictures() {
        return Documents.files(Documents.ROOT.resolve("docs/images"), 1)
                .filter(file -> file.toString().endsWith(".svg"));
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void aDrawingReadsInLightAndDarkAndInWordsAndLoadsNothing(Path picture) {
        String drawing = Documents.read(picture);
        assertThat(drawing).contains("@media (prefers-color-scheme: dark)", "<title ", "<desc ");
        assertThat(drawing.replace("xmlns=\"http://www.w3.org/2000/svg\"", "")).doesNotContain("http", "href", "url(");
    }

    /** The paths of the documents with figures, and how many rows of each link to a report in their last cell. */
    static Stream<Arguments> figures() {
        return Stream.of(Handbook.values())
                .flatMap(handbook -> Stream.of(
                        Arguments.of(handbook.readme(), 10),
                        Arguments.of(handbook.path("reference/measured.md"), 27),
                        Arguments.of(handbook.path("how-to/sizing.md"), 5)));
    }

    /** The first cell describes the situation. */
    @ParameterizedTest
    @MethodSource("figures")
    void theFiguresAreThoseOfTheNewestReports(String document, int count) {
        List<Markdown.Row> rows = Documents.markdown(document).rows().stream()
                .filter(row -> LINK.matcher(last(row)).find())
                .toList();
        assertThat(rows).hasSize(count).allSatisfy(row -> {
            Path report = report(document, row);
            List<BigDecimal> figures =
                    numbers(String.join(" ", row.cells().subList(1, row.cells().size() - 1)));
            assertThat(figures).isNotEmpty();
            assertThat(numbers(Documents.read(report))).as(report.toString()).containsAll(figures);
            assertThat(newest(report)).isEqualTo(report.getFileName().toString());
        });
    }

    private static String last(Markdown.Row row) {
        return row.cells().get(row.cells().size() - 1);
    }

    private static Path report(String document, Markdown.Row row) {
        Matcher link = LINK.matcher(last(row));
        assertThat(link.find()).isTrue();
        return Documents.ROOT.resolve(document).resolveSibling(link.group(1)).normalize();
    }

    private static List<BigDecimal> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(number -> new BigDecimal(number.group().replace(",", "")).stripTrailingZeros())
                .toList();
    }

    /** Returns the name of the newest report of the same scenario, or of the document itself if it is no report. */
    private static String newest(Path report) {
        String name = report.getFileName().toString();
        Matcher parts = REPORT.matcher(name);
        if (!parts.matches()) {
            return name;
        }
        Set<String> dates = Documents.files(report.getParent(), 1)
                .map(file -> REPORT.matcher(file.getFileName().toString()))
                .filter(other -> other.matches() && other.group(2).equals(parts.group(2)))
                .map(other -> other.group(1))
                .collect(Collectors.toSet());
        return dates.stream().max(String::compareTo).orElseThrow() + parts.group(2);
    }
}
