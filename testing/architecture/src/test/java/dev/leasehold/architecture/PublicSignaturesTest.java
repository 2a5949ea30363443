package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the visible signatures of each published module with the promise that is committed in {@code api/}. */
class PublicSignaturesTest {
    static final String ACCEPT = ".ci/accept-api";

    private static final Path API = Repository.ROOT.resolve("api");
    private static final CodeBase REPOSITORY = CodeBase.ofRepository();

    static List<String> modules() {
        return Repository.publishedModules();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void matchThePromise(String module) {
        Path file = API.resolve(module + ".txt");
        List<String> actual = ModuleSignatures.of(module, REPOSITORY);
        if (Boolean.getBoolean("api.update")) {
            Repository.write(file, String.join("\n", actual) + "\n");
        }
        List<String> promised =
                Files.exists(file) ? Repository.read(file).lines().toList() : List.of();
        String complaint = complaint(module, promised, actual);
        if (!complaint.isEmpty()) {
            fail(complaint);
        }
    }

    @Test
    void existForPublishedModulesOnly() throws IOException {
        try (Stream<Path> files = Files.list(API)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            modules().stream().map(module -> module + ".txt").toList());
        }
    }

    /** Returns the message for an author who changed the API, or nothing if nothing changed. */
    static String complaint(String module, List<String> promised, List<String> actual) {
        List<String> diff = LineDiff.of(promised, actual);
        return diff.isEmpty()
                ? ""
                : "the public signatures of " + module + " are not those of api/" + module + ".txt"
                        + " (- promised, + compiled):\n\n" + String.join("\n", diff)
                        + "\n\nIf the change is meant, accept it with the next line, and commit the file:\n\n    "
                        + ACCEPT
                        + "\n";
    }
}
