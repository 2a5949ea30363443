package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The BOM names all published modules and nothing else, in the version of the rest. */
class BomTest {
    private static final Document BOM = Repository.parse(Repository.ROOT.resolve("bom/pom.xml"));
    private static final Document ROOT = Repository.parse(Repository.ROOT.resolve("pom.xml"));

    @Test
    void listsEveryPublishedModule() {
        assertThat(managed(BOM)).containsExactlyInAnyOrderElementsOf(Repository.publishedModules());
    }

    @Test
    void agreesWithTheParentPom() {
        assertThat(managed(ROOT)).containsExactlyInAnyOrderElementsOf(Repository.publishedModules());
        assertThat(version(BOM)).isEqualTo(version(ROOT));
    }

    @Test
    void onlyArtifactsOfLeaseholdAreDeployed() {
        assertThat(Repository.modules())
                .as("modules by their folder are not deployed, and those by their artifact have its prefix")
                .allMatch(module ->
                        Files.isDirectory(Repository.ROOT.resolve(module)) || module.startsWith("leasehold-"));
    }

    @Test
    void leavesNoModuleOutOfTheReactor() throws IOException {
        List<Path> modules =
                Repository.modules().stream().map(Repository::folder).toList();
        try (Stream<Path> files = Files.walk(Repository.ROOT, 3)) {
            assertThat(files.filter(file -> file.endsWith("pom.xml"))
                            .map(Path::getParent)
                            .filter(folder -> !folder.equals(Repository.ROOT)))
                    .isSubsetOf(modules);
        }
    }

    /** A reader finds a module by the group in which it is looked for. */
    @Test
    void hasFewFoldersAtTheTop() {
        String[] folders = Repository.ROOT
                .toFile()
                .list((parent, name) -> !name.startsWith(".")
                        && !name.equals("target")
                        && Files.isDirectory(Repository.ROOT.resolve(name)));
        assertThat(folders)
                .containsOnly(
                        "api",
                        "benchmarks",
                        "bom",
                        "clients",
                        "core",
                        "docs",
                        "examples",
                        "integrations",
                        "site",
                        "spring",
                        "testing",
                        "tools",
                        "verification");
    }

    private static List<String> managed(Document pom) {
        NodeList dependencies = pom.getElementsByTagName("dependency");
        return IntStream.range(0, dependencies.getLength())
                .mapToObj(i -> (Element) dependencies.item(i))
                .filter(dependency -> Repository.texts(dependency, "groupId").equals(List.of("dev.leasehold")))
                .map(dependency -> Repository.texts(dependency, "artifactId").get(0))
                .toList();
    }

    private static String version(Document pom) {
        return Repository.texts(pom, "version").get(0);
    }
}
