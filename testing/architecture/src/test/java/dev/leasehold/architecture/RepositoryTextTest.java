package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that must not occur in a file that git tracks, or would track with the next commit. */
class RepositoryTextTest {
    private static final Map<String, String> HARMLESS = Map.of(
            "paths", "GET /workers/1, see docs/home/page.md and ./root/file",
            "hosts", "https://maven.apache.org/xsd/maven-4.0.0.xsd",
            "tags", "     * @return the {@code @Lock} of a method",
            "words", "a todo list, TODOS, XXXL",
            "markers", "<<< >>> ==== ========");

    @Test
    void isCleanInEveryTrackedFile() throws IOException, InterruptedException {
        List<String> files = trackedFiles();
        assertThat(files).as("tracked files").contains("pom.xml");
        assertThat(files.stream()
                        .flatMap(file -> text(file)
                                .flatMap(text ->
                                        TextRule.all().stream().flatMap(rule -> rule.violations(file, text).stream()))))
                .isEmpty();
    }

    private static List<String> trackedFiles() throws IOException, InterruptedException {
        Process git = new ProcessBuilder(
                        "git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
                .directory(Repository.ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as("exit code of git ls-files").isZero();
        return Arrays.stream(output.split("\0"))
                .filter(file -> Files.isRegularFile(Repository.ROOT.resolve(file)))
                .toList();
    }

    /** Returns the text of a file, or nothing if it contains a NUL, and so is no text. */
    private static Stream<String> text(String file) {
        Path path = Repository.ROOT.resolve(file);
        try {
            String text = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
            return text.indexOf('\0') < 0 ? Stream.of(text) : Stream.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    static List<String> plants() {
        return List.of(
                "cd /wo" + "rk/main",
                "see file:///ro" + "ot/.m2/settings.xml",
                "PATH=/ho" + "me/jane/bin",
                "C:\\Us" + "ers\\jane",
                "JAVA_HOME=/usr/li" + "b/jvm/java-25",
                "https://repo.maven.apa" + "che.org/maven2",
                "http://deb.deb" + "ian.org/debian",
                "// TO" + "DO later",
                "# FIX" + "ME",
                "<<<<<<" + "< HEAD",
                "     * the scheme * @thr" + "ows IllegalStateException",
                "     * Returns the lock of a name. @par" + "am name the name",
                "    /** Waits until the lock is free. @ret" + "urn the lease */",
                "     * @param name the name @se" + "e Leasehold",
                " * Acquires the lock. @recei" + "ver the client",
                "-----BEGIN RSA PRIVATE K" + "EY-----");
    }

    @ParameterizedTest
    @MethodSource("plants")
    void isFoundWhereItIsPlanted(String line) {
        String text = "first line\n" + line + "\nlast line";
        assertThat(TextRule.all().stream().flatMap(rule -> rule.violations("file.md", text).stream()))
                .hasSize(1)
                .allMatch(found -> found.startsWith("file.md:2: "));
    }

    @Test
    void isNotSeenInHarmlessText() {
        assertThat(HARMLESS.entrySet().stream()
                        .flatMap(e -> TextRule.all().stream()
                                .flatMap(rule -> rule.violations(e.getKey(), e.getValue()).stream())))
                .isEmpty();
    }
}
