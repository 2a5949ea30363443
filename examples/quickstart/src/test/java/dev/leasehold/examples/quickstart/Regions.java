package dev.leasehold.examples.quickstart;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The examples in the compiled sources. */
final class Regions {

    private static final List<Path> OF_HANDBOOK = List.of(
            Documents.ROOT.resolve("examples/quickstart/src/main/java"),
            Documents.ROOT.resolve("examples/testing/src/test/java"),
            Documents.ROOT.resolve("examples/spring/src"));
    private static final Path OF_FENCING = Documents.ROOT.resolve("examples/fencing/src/main/java");
    private static final Path OF_MIGRATING = Documents.ROOT.resolve("examples/shedlock/src/main/java");
    private static final Path OF_MICRONAUT = Documents.ROOT.resolve("examples/micronaut/src");
    private static final Path OF_QUARKUS = Documents.ROOT.resolve("examples/quarkus/src");
    private static final Path OF_ADAPTERS = Documents.ROOT.resolve("examples/adapter/src");
    private static final Path OF_KOTLIN = Documents.ROOT.resolve("examples/kotlin/src/main/kotlin");
    private static final Pattern REGION =
            Pattern.compile("^ *// example: (\\S+)\\n(.*?)^ *// end$", Pattern.MULTILINE | Pattern.DOTALL);

    private Regions() {}

    /** Maps the name of each example to its text, without the surrounding indentation. */
    static Map<String, String> all() {
        return in(everywhere());
    }

    private static Stream<Path> everywhere() {
        return Stream.concat(
                OF_HANDBOOK.stream(),
                Stream.of(OF_FENCING, OF_MIGRATING, OF_MICRONAUT, OF_QUARKUS, OF_ADAPTERS, OF_KOTLIN));
    }

    /** Maps the name of each example to the source that contains it. */
    static Map<String, Path> sources() {
        return in(everywhere(), (file, text) -> file);
    }

    /** Returns the examples of the handbook. */
    static Map<String, String> ofHandbook() {
        return in(OF_HANDBOOK.stream());
    }

    /** Returns the examples of {@code docs/fencing.md}. */
    static Map<String, String> ofFencing() {
        return in(Stream.of(OF_FENCING));
    }

    /** Returns the examples of {@code docs/migrating.md}. */
    static Map<String, String> ofMigrating() {
        return in(Stream.of(OF_MIGRATING));
    }

    /** Returns the examples of {@code docs/micronaut.md}. */
    static Map<String, String> ofMicronaut() {
        return in(Stream.of(OF_MICRONAUT));
    }

    /** Returns the examples of {@code docs/quarkus.md}. */
    static Map<String, String> ofQuarkus() {
        return in(Stream.of(OF_QUARKUS));
    }

    /** Returns the examples of {@code docs/adapters.md}. */
    static Map<String, String> ofAdapters() {
        return in(Stream.of(OF_ADAPTERS));
    }

    /** Returns the examples of {@code docs/kotlin.md}. */
    static Map<String, String> ofKotlin() {
        return in(Stream.of(OF_KOTLIN));
    }

    /** Returns all code that is compiled for {@code docs/migrating.md}, without white space. */
    static String compiledForMigrating() {
        return Documents.files(OF_MIGRATING, 20)
                .map(Documents::read)
                .collect(Collectors.joining())
                .replaceAll("\\s", "");
    }

    private static Map<String, String> in(Stream<Path> directories) {
        return in(directories, (file, text) -> withoutIndent(text));
    }

    private static <T> Map<String, T> in(Stream<Path> directories, BiFunction<Path, String, T> toValue) {
        Map<String, T> regions = new TreeMap<>();
        directories
                .flatMap(sources -> Documents.files(sources, 20))
                .forEach(file -> REGION.matcher(Documents.read(file)).results().forEach(region -> {
                    T twin = regions.put(region.group(1), toValue.apply(file, region.group(2)));
                    if (twin != null) {
                        throw new IllegalStateException("two examples have the name " + region.group(1));
                    }
                }));
        return regions;
    }

    /** Removes the final newline, which would count as a line without indentation. */
    private static String withoutIndent(String text) {
        return text.stripTrailing().stripIndent() + "\n";
    }
}
