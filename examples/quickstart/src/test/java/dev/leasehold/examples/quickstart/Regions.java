package dev.leasehold.examples.quickstart;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The examples, as they stand in the compiled sources. */
final class Regions {

    private static final List<Path> OF_READMES = List.of(
            Documents.ROOT.resolve("examples/quickstart/src/main/java"),
            Documents.ROOT.resolve("examples/testing/src/test/java"),
            Documents.ROOT.resolve("examples/spring/src/main/java"));
    private static final Path OF_FENCING = Documents.ROOT.resolve("examples/fencing/src/main/java");
    private static final Path OF_MIGRATING = Documents.ROOT.resolve("examples/shedlock/src/main/java");
    private static final String OF_ARTICLES = "article-";
    private static final Pattern REGION =
            Pattern.compile("^ *// example: (\\S+)\\n(.*?)^ *// end$", Pattern.MULTILINE | Pattern.DOTALL);

    private Regions() {}

    /** From the name of each example to its text, without the indentation of its surroundings. */
    static Map<String, String> all() {
        return in(Stream.concat(OF_READMES.stream(), Stream.of(OF_FENCING, OF_MIGRATING)));
    }

    /** Those that stand in the READMEs. */
    static Map<String, String> ofReadmes() {
        Map<String, String> regions = in(OF_READMES.stream());
        regions.keySet().removeIf(name -> name.startsWith(OF_ARTICLES));
        return regions;
    }

    /** Those that stand in {@code docs/articles.md} and nowhere else. */
    static Map<String, String> ofArticles() {
        Map<String, String> regions = in(OF_READMES.stream());
        regions.keySet().removeIf(name -> !name.startsWith(OF_ARTICLES));
        return regions;
    }

    /** Those that stand in {@code docs/fencing.md}. */
    static Map<String, String> ofFencing() {
        return in(Stream.of(OF_FENCING));
    }

    /** Those that stand in {@code docs/migrating.md}. */
    static Map<String, String> ofMigrating() {
        return in(Stream.of(OF_MIGRATING));
    }

    /** All that is compiled for {@code docs/migrating.md}, without white space. */
    static String compiledForMigrating() {
        return Documents.files(OF_MIGRATING, 20)
                .map(Documents::read)
                .collect(Collectors.joining())
                .replaceAll("\\s", "");
    }

    private static Map<String, String> in(Stream<Path> directories) {
        Map<String, String> regions = new TreeMap<>();
        directories
                .flatMap(sources -> Documents.files(sources, 20))
                .map(Documents::read)
                .forEach(source -> {
                    Matcher matcher = REGION.matcher(source);
                    while (matcher.find()) {
                        String twin = regions.put(matcher.group(1), withoutIndent(matcher.group(2)));
                        if (twin != null) {
                            throw new IllegalStateException("two examples are called " + matcher.group(1));
                        }
                    }
                });
        return regions;
    }

    /** A newline at the end would count as a line without indentation. */
    private static String withoutIndent(String text) {
        return text.stripTrailing().stripIndent() + "\n";
    }
}
