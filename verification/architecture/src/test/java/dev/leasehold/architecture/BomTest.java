package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The BOM names all published modules and nothing else, in the version of the rest. */
class BomTest {
    private static final Document BOM = Repository.parse(Repository.ROOT.resolve("leasehold-bom/pom.xml"));
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
    void namesNoModuleThatIsNotPublished() {
        assertThat(Repository.modules().stream()
                        .filter(module -> !module.startsWith("leasehold-"))
                        .map(module -> Repository.ROOT.resolve(module).resolve("pom.xml"))
                        .filter(pom -> !Repository.texts(Repository.parse(pom), "maven.deploy.skip")
                                .equals(List.of("true"))))
                .as("modules outside of the root directory that would be deployed")
                .isEmpty();
    }

    @Test
    void leavesNoModuleOutOfTheReactor() {
        Stream<String> directories = Stream.of(Repository.ROOT.toFile().list())
                .filter(name -> name.startsWith("leasehold-"))
                .filter(name -> Files.exists(Repository.ROOT.resolve(name).resolve("pom.xml")));
        assertThat(directories).isSubsetOf(Repository.modules());
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
