package dev.leasehold.examples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The locations of the documents and the sources. */
final class Documents {

    static final Path ROOT = root(Path.of("").toAbsolutePath());

    /** The source of each class of the core, of the contracts, of the simulation, and of the tests, by its simple name. */
    private static final Map<String, String> SOURCES = files(ROOT, 20)
            .filter(file -> file.toString()
                    .matches(".*/(src/test|core/src/main|tck/src/main|simulation/src/main)/java/.*\\.java"))
            .filter(file -> !file.toString().contains("/planted/"))
            .collect(Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""),
                    Documents::read,
                    (one, other) -> one + other));

    private Documents() {}

    /** Returns the source of a class, or of all with this simple name; empty if there is none. */
    static String source(String simpleName) {
        return SOURCES.getOrDefault(simpleName, "");
    }

    private static Path root(Path from) {
        return Files.isDirectory(from.resolve(".ci")) ? from : root(from.getParent());
    }

    static Markdown markdown(String file) {
        return Markdown.of(read(ROOT.resolve(file)));
    }

    /** Returns a document together with its pages, which are in the directory of its name. */
    static Markdown withPages(String file) {
        String pages = file.replace(".md", "/");
        return Markdown.of(Stream.concat(Stream.of(file), all().stream().filter(other -> other.startsWith(pages)))
                .map(one -> read(ROOT.resolve(one)))
                .collect(Collectors.joining("\n")));
    }

    /** Returns the paths of the documents at the root and under {@code docs}, from the root. */
    static List<String> all() {
        return Stream.concat(files(ROOT, 1), files(ROOT.resolve("docs"), 3))
                .filter(file -> file.toString().endsWith(".md"))
                .map(file -> ROOT.relativize(file).toString())
                .sorted()
                .toList();
    }

    /** Returns the paths of all Markdown files from the root. */
    static List<String> everywhere() {
        return files(ROOT, 20)
                .map(file -> ROOT.relativize(file).toString())
                .filter(file -> file.endsWith(".md"))
                .sorted()
                .toList();
    }

    /** Returns the files below a directory, but not those that builds leave there, which may come and go meanwhile. */
    static Stream<Path> files(Path directory, int depth) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(directory, Set.of(), depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                    return visited.getFileName().toString().matches("target|node_modules|dist|\\.git")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream();
    }

    static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
