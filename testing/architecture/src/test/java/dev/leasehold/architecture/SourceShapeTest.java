package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ceilings for the sizes of packages, classes and methods of the core, without exceptions. */
class SourceShapeTest {
    private static final int FILES_OF_A_PACKAGE = 30;
    private static final int LINES_OF_A_PACKAGE = 2_700;
    private static final int LINES_OF_A_CLASS = 400;
    private static final int LINES_OF_A_METHOD = 40;

    /** The API, which is one package for its users, and has more Javadoc than code. */
    private static final String API = "dev.leasehold";

    private static final int FILES_OF_THE_API = 35;

    private static final List<SourceShape.File> CORE = core();

    private static List<SourceShape.File> core() {
        Path root = Repository.ROOT.resolve("core/src/main/java");
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java"))
                    .forEach(file -> sources.put(root.relativize(file).toString(), Repository.read(file)));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot list " + root, e);
        }
        return SourceShape.of(sources);
    }

    @Test
    void packagesFitIntoOneReadersHead() {
        assertThat(tooLargePackages(CORE)).isEmpty();
    }

    @Test
    void classesFitOnAFewScreens() {
        assertThat(tooLongClasses(CORE)).isEmpty();
    }

    @Test
    void methodsFitOnOneScreen() {
        assertThat(tooLongMethods(CORE)).isEmpty();
    }

    @Test
    void largerOnesAreFound() {
        String method = "    void run() {\n" + "        step();\n".repeat(39) + "    }\n";
        List<SourceShape.File> one = SourceShape.of(
                Map.of("a/Long.java", "package a;\nclass Long {\n" + method + "    int x;\n".repeat(360) + "}\n"));
        assertThat(tooLongMethods(one)).containsExactly("a/Long.java run:3 has 41 lines");
        assertThat(tooLongClasses(one)).containsExactly("a/Long.java has 404 lines");
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i < 31; i++) {
            many.put("b/C" + i + ".java", "package b;\nclass C" + i + " {}\n");
        }
        assertThat(tooLargePackages(SourceShape.of(many))).containsExactly("b has 31 files and 62 lines");
        assertThat(tooLargePackages(
                        SourceShape.of(Map.of("c/C.java", "package c;\n" + "\n".repeat(2_700) + "class C {}\n"))))
                .containsExactly("c has 1 files and 2702 lines");
    }

    private static List<String> tooLargePackages(List<SourceShape.File> files) {
        Map<String, List<SourceShape.File>> packages = files.stream()
                .collect(Collectors.groupingBy(SourceShape.File::packageName, TreeMap::new, Collectors.toList()));
        List<String> found = new ArrayList<>();
        packages.forEach((name, those) -> {
            int lines = those.stream().mapToInt(SourceShape.File::lines).sum();
            int most = name.equals(API) ? FILES_OF_THE_API : FILES_OF_A_PACKAGE;
            if (those.size() > most || (lines > LINES_OF_A_PACKAGE && !name.equals(API))) {
                found.add(name + " has " + those.size() + " files and " + lines + " lines");
            }
        });
        return found;
    }

    private static List<String> tooLongClasses(List<SourceShape.File> files) {
        return files.stream()
                .filter(file -> file.lines() > LINES_OF_A_CLASS)
                .map(file -> file.name() + " has " + file.lines() + " lines")
                .toList();
    }

    private static List<String> tooLongMethods(List<SourceShape.File> files) {
        List<String> found = new ArrayList<>();
        for (SourceShape.File file : files) {
            file.methods().forEach((method, lines) -> {
                if (lines > LINES_OF_A_METHOD) {
                    found.add(file.name() + " " + method + " has " + lines + " lines");
                }
            });
        }
        return found;
    }
}
