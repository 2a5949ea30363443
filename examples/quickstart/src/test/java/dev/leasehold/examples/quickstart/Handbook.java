package dev.leasehold.examples.quickstart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The README and the pages of the handbook in one language. */
enum Handbook {
    ENGLISH("README.md", "docs"),
    CHINESE("README.zh-CN.md", "docs/zh");

    /** The directories of the handbook, one for each kind of page. */
    private static final List<String> KINDS = List.of("tutorial", "how-to", "reference", "explanation");

    private final String readme;
    private final String directory;

    Handbook(String readme, String directory) {
        this.readme = readme;
        this.directory = directory;
    }

    /** Returns the path of the README from the root. */
    String readme() {
        return readme;
    }

    /** Returns the paths of the pages from the directory of this language, which are the same in both languages. */
    List<String> pages() {
        Path from = Documents.ROOT.resolve(directory);
        return KINDS.stream()
                .map(from::resolve)
                .filter(Files::isDirectory)
                .flatMap(kind -> Documents.files(kind, 1))
                .filter(file -> file.toString().endsWith(".md"))
                .map(file -> from.relativize(file).toString())
                .sorted()
                .toList();
    }

    /** Returns the path of a page from the root. */
    String path(String page) {
        return directory + "/" + page;
    }

    /** Returns the README and all pages, by their paths from the root. */
    List<String> documents() {
        return Stream.concat(Stream.of(readme), pages().stream().map(this::path))
                .toList();
    }

    /** Returns the blocks of code of all documents. */
    List<Markdown.Block> blocks() {
        return documents().stream()
                .flatMap(document -> Documents.markdown(document).blocks().stream())
                .toList();
    }

    /** Returns the rows with an id of all documents. */
    List<Markdown.Row> rowsWithId() {
        return documents().stream()
                .flatMap(document -> Documents.markdown(document).rowsWithId().stream())
                .toList();
    }
}
