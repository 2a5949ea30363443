package dev.leasehold.benchmarks.plot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Spread;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotTest {

    private static final Path RESULTS = Path.of("results");

    static Set<String> pictures() {
        return Plot.pictures(RESULTS).keySet();
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void isDrawnFromTheStoredReports(String picture) {
        assertThat(RESULTS.resolve(picture))
                .as("after new reports are stored, benchmarks/run plot draws it anew")
                .content()
                .isEqualTo(Plot.pictures(RESULTS).get(picture));
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void hasFourPanelsThatAreAlsoThereInWords(String picture) throws Exception {
        Document plot = parse(Plot.pictures(RESULTS).get(picture));
        assertThat(texts(plot, "title")).hasSize(4);
        String words = text(plot, "desc");
        for (String panel : texts(plot, "title")) {
            assertThat(words).contains(panel);
        }
        assertThat(words).contains("Redisson RLock");
        assertThat(plot.getDocumentElement().getAttribute("role")).isEqualTo("img");
        assertThat(text(plot, "title")).startsWith("Leasehold and other locks on Redis: ");
    }

    @Test
    void drawsLengthsInProportion() throws Exception {
        Document svg = svg(Panel.Row.of("Leasehold", new Spread(100, 50, 200)), Panel.Row.of("Other", spread(50)));
        List<Element> bars = bars(svg);
        assertThat(bars).extracting(bar -> bar.getAttribute("class")).containsExactly("ours", "peer");
        assertThat(bars).extracting(bar -> bar.getAttribute("width")).containsExactly("90.0", "45.0");
        NodeList ranges = svg.getElementsByTagName("line");
        assertThat(ranges.getLength()).isEqualTo(1);
        assertThat(length((Element) ranges.item(0))).isEqualTo(135);
    }

    @Test
    void drawsPartsOneAfterAnother() throws Exception {
        List<Element> bars = bars(svg(Panel.Row.sum("Leasehold", spread(1), spread(3))));
        assertThat(bars).extracting(bar -> bar.getAttribute("width")).containsExactly("45.0", "135.0");
        assertThat(bars).extracting(bar -> bar.getAttribute("class")).containsExactly("ours", "ours second");
        assertThat(Double.parseDouble(bars.get(1).getAttribute("x"))
                        - Double.parseDouble(bars.get(0).getAttribute("x")))
                .isEqualTo(45);
    }

    @Test
    void showsByWordsWhatHasNoLength() throws Exception {
        Document svg = svg(
                Panel.Row.without("Other", "never all: 250"),
                Panel.Row.of("Floor: <bare> & low", spread(Double.NaN)),
                Panel.Row.of("Yet another", spread(Double.POSITIVE_INFINITY)));
        assertThat(bars(svg)).isEmpty();
        assertThat(texts(svg, "value")).containsExactly("never all: 250", "-", "never");
        assertThat(texts(svg, "label")).contains("Floor: <bare> & low");
    }

    @Test
    void distinguishesWhatIsNoLockForUse() {
        assertThat(Panel.Kind.of("Floor: bare scripts")).isEqualTo(Panel.Kind.REFERENCE);
        assertThat(Panel.Kind.of("Ceiling: fair ReentrantLock")).isEqualTo(Panel.Kind.REFERENCE);
        assertThat(Panel.Kind.of("Redisson RLock")).isEqualTo(Panel.Kind.PEER);
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void needsNothingFromElsewhere(String picture) throws IOException {
        String svg = Plot.pictures(RESULTS).get(picture).replace("http://www.w3.org/2000/svg", "");
        assertThat(svg)
                .contains("prefers-color-scheme: dark")
                .doesNotContain("http:", "https:", "url(", "@import", "href", "<script");
        assertThat(Files.size(RESULTS.resolve(picture))).isLessThan(50_000);
    }

    private static Spread spread(double value) {
        return new Spread(value, value, value);
    }

    private static Document svg(Panel.Row... rows) throws Exception {
        return parse(new Svg("a title", List.of(new Panel("a panel", "a unit", List.of(rows))), List.of()).toString());
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static double length(Element line) {
        return Double.parseDouble(line.getAttribute("x2")) - Double.parseDouble(line.getAttribute("x1"));
    }

    private static List<Element> bars(Document svg) {
        return elements(svg, "rect").stream()
                .filter(rect -> !rect.getAttribute("class").equals("page"))
                .toList();
    }

    /** Returns the text of the first element of this name. */
    private static String text(Document svg, String name) {
        return elements(svg, name).get(0).getTextContent();
    }

    /** Returns all that is written in this style. */
    private static List<String> texts(Document svg, String style) {
        return elements(svg, "text").stream()
                .filter(text -> text.getAttribute("class").equals(style))
                .map(Element::getTextContent)
                .toList();
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList found = svg.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(n -> (Element) found.item(n))
                .toList();
    }
}
