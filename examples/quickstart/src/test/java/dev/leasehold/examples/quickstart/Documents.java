package dev.leasehold.examples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The locations of the documents and the sources. */
final class Documents {

    static final Path ROOT = root(Path.of("").toAbsolutePath());

    private Documents() {}

    private static Path root(Path from) {
        return Files.isDirectory(from.resolve(".ci")) ? from : root(from.getParent());
    }

    static Markdown markdown(String file) {
        return Markdown.of(read(ROOT.resolve(file)));
    }

    /** Returns the paths of the documents at the root and under {@code docs}, from the root. */
    static List<String> all() {
        return Stream.concat(files(ROOT, 1), files(ROOT.resolve("docs"), 3))
                .filter(file -> file.toString().endsWith(".md"))
                .map(file -> ROOT.relativize(file).toString())
                .sorted()
                .toList();
    }

    /** Returns the paths of all Markdown files from the root, except for those that builds leave there. */
    static List<String> everywhere() {
        return files(ROOT, 20)
                .map(file -> ROOT.relativize(file).toString())
                .filter(file -> file.endsWith(".md"))
                .filter(file -> !file.matches("(?:.*/)?(?:target|node_modules|\\.git)/.*"))
                .sorted()
                .toList();
    }

    static Stream<Path> files(Path directory, int depth) {
        try (Stream<Path> found = Files.walk(directory, depth)) {
            return found.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
