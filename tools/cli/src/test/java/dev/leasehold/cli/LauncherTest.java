package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the launcher in a checkout of its own, with a fake mvn and java that only record their arguments. */
class LauncherTest {

    private static final List<String> MODULES =
            List.of("core", "clients/lettuce", "testing/testkit", "tools/console", "tools/cli");

    private static final String MVN = """
            #!/bin/sh
            echo "$@" >>"$LAUNCHER_TEST/mvn.log"
            [ ! -e "$LAUNCHER_TEST/broken" ] || { echo "it does not compile"; exit 1; }
            mkdir -p core/target tools/cli/target
            echo core >core/target/leasehold-core-1.jar
            echo cli >tools/cli/target/leasehold-cli-1.jar
            echo sources >tools/cli/target/leasehold-cli-1-sources.jar
            printf '%s' "$PWD/core/target/leasehold-core-1.jar:$LAUNCHER_TEST/foreign.jar" \\
                >tools/cli/target/classpath
            """;

    private static final String JAVA = """
            #!/bin/sh
            echo "pid $$"
            for word; do echo "<$word>"; done
            """;

    @TempDir
    Path directory;

    private Path root;
    private Path launcher;

    record Outcome(int code, String out, String err, long pid) {}

    @BeforeEach
    void createCheckout() throws IOException {
        root = Files.createDirectories(directory.resolve("a checkout"));
        launcher = root.resolve("leasehold");
        Files.copy(Path.of("..", "..", "leasehold"), launcher);
        launcher.toFile().setExecutable(true);
        write(root.resolve("pom.xml"), "");
        for (String module : MODULES) {
            write(root.resolve(module).resolve("pom.xml"), "");
            write(source(module, "A.java"), "");
        }
        write(directory.resolve("foreign.jar"), "");
        writeScript(directory.resolve("bin/mvn"), MVN);
        writeScript(directory.resolve("jdk/bin/java"), JAVA);
        age(root);
    }

    @Test
    void buildsOnFirstUseOnlyAndSaysSo() throws Exception {
        Outcome first = launch("ls");
        assertThat(first.code()).isZero();
        assertThat(first.err()).startsWith("leasehold: building").hasLineCount(1);
        Outcome second = launch("ls");
        assertThat(second.err()).isEmpty();
        assertThat(builds()).hasSize(1).first().asString().contains("-pl tools/cli -am package");
    }

    @Test
    void buildsAgainWhenASourceIsNewerAddedOrRemoved() throws Exception {
        launch("ls");
        touch(source("clients/lettuce", "A.java"));
        assertThat(launch("ls").code()).isZero();
        assertThat(builds()).hasSize(2);

        age(root);
        launch("ls");
        assertThat(builds()).hasSize(2);
        touch(root.resolve("core/pom.xml"));
        launch("ls");
        assertThat(builds()).hasSize(3);

        age(root);
        Files.delete(source("core", "A.java"));
        touch(source("core", "A.java").getParent());
        launch("ls");
        assertThat(builds()).hasSize(4);
    }

    @Test
    void buildsAgainWhenAJarIsGone() throws Exception {
        launch("ls");
        Files.delete(directory.resolve("foreign.jar"));
        assertThat(launch("ls").code()).isEqualTo(70);
        assertThat(builds()).hasSize(2);
    }

    @Test
    void usesTheJarsThatMavenHasBuilt() throws Exception {
        Process mvn = process(List.of(directory.resolve("bin/mvn").toString(), "verify"), root)
                .start();
        assertThat(mvn.waitFor()).isZero();
        assertThat(launch("ls").code()).isZero();
        assertThat(builds()).containsExactly("verify");
    }

    /** A JVM that runs for hours loads classes late: the jars it was started with must stay as they were. */
    @Test
    void runsOnCopiesOfTheProjectsOwnJars() throws Exception {
        String classpath = classpath(launch("ls"));
        assertThat(classpath.split(":")).hasSize(3);
        assertThat(classpath)
                .contains("/leasehold-cli-1.jar", "/leasehold-core-1.jar")
                .endsWith(":" + directory.resolve("foreign.jar"))
                .doesNotContain("sources", root.resolve("core/target").toString());
        touch(source("tools/cli", "A.java"));
        assertThat(classpath(launch("ls"))).isNotEqualTo(classpath);
        assertThat(Path.of(classpath.split(":")[0])).exists();
    }

    @Test
    void worksFromAnyDirectoryAndThroughLinks() throws Exception {
        Path links = Files.createDirectories(directory.resolve("links"));
        Files.createSymbolicLink(links.resolve("relative"), Path.of("../a checkout/leasehold"));
        Files.createSymbolicLink(links.resolve("lh"), links.resolve("relative"));
        Outcome outcome = launch(List.of("./lh", "show", "two words", "", "*"), links);
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).endsWith("<dev.leasehold.cli.Main>\n<show>\n<two words>\n<>\n<*>\n");
    }

    /** The launcher execs the JVM, so that signals reach it directly. */
    @Test
    void becomesTheJvm() throws Exception {
        Outcome outcome = launch("ls");
        assertThat(outcome.out()).startsWith("pid " + outcome.pid() + "\n");
    }

    @Test
    void showsWhyTheBuildFailed() throws Exception {
        write(directory.resolve("broken"), "");
        Outcome outcome = launch("ls");
        assertThat(outcome.code()).isEqualTo(70);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("it does not compile", "leasehold: the build failed");
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        Files.delete(directory.resolve("jdk/bin/java"));
        Outcome outcome = launch("ls");
        assertThat(outcome.code()).isEqualTo(70);
        assertThat(outcome.err()).contains("no Java at", "JAVA_HOME").hasLineCount(1);
    }

    private Outcome launch(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(Arrays.asList(args));
        return launch(command, directory);
    }

    private Outcome launch(List<String> command, Path where) throws Exception {
        Process process = process(command, where)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        int code = process.waitFor();
        return new Outcome(
                code,
                Files.readString(directory.resolve("out")),
                Files.readString(directory.resolve("err")),
                process.pid());
    }

    private ProcessBuilder process(List<String> command, Path where) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("LAUNCHER_TEST", directory.toString());
        builder.environment().remove("LEASEHOLD_JAVA_OPTS");
        return builder;
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(directory.resolve("mvn.log"));
    }

    private static String classpath(Outcome outcome) {
        List<String> lines = outcome.out().lines().toList();
        String word = lines.get(lines.indexOf("<-cp>") + 1);
        return word.substring(1, word.length() - 1);
    }

    private Path source(String module, String name) {
        return root.resolve(module).resolve("src/main/java").resolve(name);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void writeScript(Path file, String text) throws IOException {
        write(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Makes a file newer than any other, independent of the resolution of the file system's clock. */
    private static void touch(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(10)));
    }

    /** Makes every file old that no build produced. */
    private static void age(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file :
                    files.filter(f -> !f.toString().contains("/target")).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
            }
        }
    }
}
