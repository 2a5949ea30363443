package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java and Kotlin in the documents is the text of sources that are compiled, and run by {@link ReadmeExamplesIT}, by
 * {@link TutorialIT}, by {@link ArticleTechniquesIT}, by {@code FencingExamplesIT} in {@code examples/fencing}, by {@code SpringExamplesIT} in
 * {@code examples/spring}, by {@code PaymentsIT} in {@code examples/micronaut}, by {@code TicketsIT} in {@code examples/quarkus}, by
 * {@code MigratingIT} and {@code ReportsIT} in {@code examples/shedlock}, or by {@code KotlinExamplesIT} in {@code examples/kotlin}. The
 * tests in the documents are run themselves.
 */
class ReadmeExamplesTest {

    private static final Set<String> COMPILED = Set.of("java", "kotlin");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s:]+)\\)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    static List<String> documents() {
        return Documents.all();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everyBlockOfCodeIsTheTextOfACompiledSource(String file) {
        Map<String, String> regions = Regions.all();
        assertThat(Documents.markdown(file).blocks())
                .filteredOn(block -> COMPILED.contains(block.language()))
                .allSatisfy(block -> {
                    assertThat(block.marker())
                            .as("the marker before %s", block.text())
                            .startsWith("example: ");
                    String name = block.marker().substring("example: ".length());
                    assertThat(block.text()).as("example %s", name).isEqualTo(regions.get(name));
                });
    }

    /** The home page of the site has only the example of the README. */
    static List<String> pagesWithExamples() {
        return documents().stream()
                .filter(document -> !document.endsWith("index.md"))
                .filter(document ->
                        !Documents.markdown(document).marked("example").isEmpty())
                .toList();
    }

    /** Most examples have no imports, and use names that their page does not define. Their sources have both. */
    @ParameterizedTest
    @MethodSource("pagesWithExamples")
    void everyPageLinksToTheSourcesOfItsExamples(String file) {
        Path page = Documents.ROOT.resolve(file);
        Set<Path> linked = LINK.matcher(Documents.read(page))
                .results()
                .map(link -> page.resolveSibling(link.group(1)).normalize())
                .filter(target -> target.startsWith(Documents.ROOT.resolve("examples")))
                .collect(Collectors.toSet());
        Map<String, Path> sources = Regions.sources();
        assertThat(Documents.markdown(file).marked("example"))
                .filteredOn(block -> !block.text().startsWith("import "))
                .extracting(block -> sources.get(block.marker().substring("example: ".length())))
                .allSatisfy(
                        source -> assertThat(linked).as("link to %s", source).anyMatch(source::startsWith));
    }

    @ParameterizedTest
    @EnumSource
    void everyExampleIsInTheHandbook(Handbook handbook) {
        Set<String> examples = handbook.documents().stream()
                .flatMap(document -> examples(document).stream())
                .collect(Collectors.toSet());
        assertThat(examples)
                .containsExactlyInAnyOrderElementsOf(Regions.ofHandbook().keySet());
    }

    @Test
    void everyExampleOfFencingIsInItsDocument() {
        assertThat(examples("docs/fencing.md"))
                .containsExactlyInAnyOrderElementsOf(Regions.ofFencing().keySet());
    }

    @Test
    void everyExampleOfKotlinIsInItsDocument() {
        assertThat(examples("docs/kotlin.md"))
                .containsExactlyInAnyOrderElementsOf(Regions.ofKotlin().keySet());
    }

    @Test
    void everyExampleOfMigratingIsInItsDocument() {
        assertThat(examples("docs/migrating.md"))
                .containsExactlyInAnyOrderElementsOf(Regions.ofMigrating().keySet());
    }

    @Test
    void everyExampleOfMicronautIsInItsDocument() {
        assertThat(examples("docs/micronaut.md"))
                .containsExactlyInAnyOrderElementsOf(Regions.ofMicronaut().keySet());
    }

    @Test
    void everyExampleOfQuarkusIsInItsDocument() {
        assertThat(examples("docs/quarkus.md"))
                .containsExactlyInAnyOrderElementsOf(Regions.ofQuarkus().keySet());
    }

    /** The document shows a whole adapter, and says that it is short. */
    @Test
    void everyExampleOfAdaptersIsInItsDocument() {
        Map<String, String> adapter = Regions.ofAdapters();
        assertThat(examples("docs/adapters.md")).containsExactlyInAnyOrderElementsOf(adapter.keySet());
        assertThat(adapter).hasSize(4);
        assertThat(adapter.values().stream().flatMap(String::lines)).hasSizeLessThan(300);
    }

    @Test
    void everyCallThatReplacesAnotherIsCompiled() {
        String compiled = Regions.compiledForMigrating();
        List<String> calls = Documents.withPages("docs/migrating.md").rows().stream()
                .flatMap(row -> CODE.matcher(row.cells().get(1)).results())
                .map(code -> code.group(1))
                .toList();
        assertThat(calls)
                .hasSizeGreaterThan(40)
                .allSatisfy(call -> assertThat(compiled).contains(call.replaceAll("\\s", "")));
    }

    private static List<String> examples(String file) {
        return Documents.withPages(file).marked("example").stream()
                .map(block -> block.marker().substring("example: ".length()))
                .toList();
    }

    @Test
    void theFirstExampleHasAtMostTenLines() {
        assertThat(Regions.all().get("first").lines()).hasSizeLessThanOrEqualTo(10);
    }
}
