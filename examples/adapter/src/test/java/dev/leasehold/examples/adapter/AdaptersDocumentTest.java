package dev.leasehold.examples.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/adapters.md shows the adapter as it is compiled and tested, apart from packages and imports. */
class AdaptersDocumentTest {

    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final int MOST_LINES = 300;

    @Test
    void showsEveryClassInFull() throws IOException {
        String document = Files.readString(MODULE.resolve("../../docs/adapters.md"));
        try (Stream<Path> classes = Files.walk(MODULE.resolve("src/main/java"))) {
            assertThat(classes.filter(file -> file.toString().matches(".*/Vertx\\w+\\.java")))
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(document).contains(declaration(file)));
        }
        assertThat(document)
                .contains(declaration(
                        MODULE.resolve("src/test/java/dev/leasehold/examples/adapter/VertxConnectorContractIT.java")));
    }

    @Test
    void isShort() throws IOException {
        try (Stream<Path> classes = Files.walk(MODULE.resolve("src/main/java"))) {
            assertThat(classes.filter(Files::isRegularFile)
                            .mapToInt(file -> read(file).split("\n").length)
                            .sum())
                    .isLessThan(MOST_LINES);
        }
    }

    /** The text after the imports. */
    private static String declaration(Path file) {
        String text = read(file);
        return text.substring(text.indexOf('\n', text.lastIndexOf("\nimport ") + 1))
                .strip();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }
}
