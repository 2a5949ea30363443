package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The BOM names all published modules and nothing else, in the version of the rest. */
class BomTest {
    private static final Document BOM = Repository.parse(Repository.ROOT.resolve("bom/pom.xml"));
    /** One needs Netty without Lettuce, and one has a Lettuce of its own. */
    private static final Set<String> WITH_NETTY = Set.of("leasehold-jedis", "leasehold-cli");

    private static final List<String> REQUIRED =
            List.of("name", "description", "url", "licenses", "developers", "scm", "issueManagement");

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

    /** The other POMs inherit these elements from the root. */
    @Test
    void haveWhatMavenCentralDemandsAndNoUrlOfARepository() {
        for (Document pom : List.of(BOM, ROOT)) {
            assertThat(REQUIRED)
                    .allSatisfy(element -> assertThat(ofProject(pom, element)).hasSize(1));
            assertThat(ofProject(pom, "url")).containsExactly("${leasehold.repository}");
        }
    }

    private static List<String> ofProject(Document pom, String element) {
        NodeList found = pom.getElementsByTagName(element);
        return IntStream.range(0, found.getLength())
                .mapToObj(found::item)
                .filter(node -> node.getParentNode().equals(pom.getDocumentElement()))
                .map(Node::getTextContent)
                .toList();
    }

    @Test
    void onlyArtifactsOfLeaseholdAreDeployed() {
        assertThat(Repository.modules())
                .as("modules by their folder are not deployed, and those by their artifact have its prefix")
                .allMatch(module ->
                        Files.isDirectory(Repository.ROOT.resolve(module)) || module.startsWith("leasehold-"));
    }

    @Test
    void leavesNoModuleOutOfTheReactors() throws IOException {
        List<Path> modules = Stream.concat(
                        Repository.modules().stream().map(Repository::folder),
                        Stream.concat(Stream.of("verification"), Repository.verification().stream())
                                .map(Repository.ROOT::resolve))
                .toList();
        try (Stream<Path> files = Files.walk(Repository.ROOT, 3)) {
            assertThat(files.filter(file -> file.endsWith("pom.xml"))
                            .map(Path::getParent)
                            .filter(folder -> !folder.equals(Repository.ROOT)))
                    .isSubsetOf(modules);
        }
    }

    /** Lettuce's Netty is of the application's choice, and a newer jar of Netty beside it may not fit. */
    @Test
    void modulesForLettuceBringNoNettyOfTheirOwn() {
        List<String> withLettuce = Repository.publishedModules().stream()
                .filter(module -> !WITH_NETTY.contains(module))
                .toList();
        assertThat(withLettuce).contains("leasehold-core", "leasehold-lettuce", "leasehold-spring-data-redis");
        for (String module : withLettuce) {
            Document pom = Repository.parse(Repository.folder(module).resolve("pom.xml"));
            assertThat(dependencies(pom).filter(BomTest::isOfNetty).filter(BomTest::reachesApplications))
                    .as(module)
                    .isEmpty();
        }
    }

    private static boolean isOfNetty(Element dependency) {
        return Repository.texts(dependency, "groupId").contains("io.netty");
    }

    private static boolean reachesApplications(Element dependency) {
        return !Repository.texts(dependency, "optional").contains("true")
                && Repository.texts(dependency, "scope").stream()
                        .noneMatch(scope -> scope.equals("provided") || scope.equals("test") || scope.equals("import"));
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

    private static Stream<Element> dependencies(Document pom) {
        NodeList dependencies = pom.getElementsByTagName("dependency");
        return IntStream.range(0, dependencies.getLength()).mapToObj(i -> (Element) dependencies.item(i));
    }

    private static List<String> managed(Document pom) {
        return dependencies(pom)
                .filter(dependency -> Repository.texts(dependency, "groupId").equals(List.of("dev.leasehold")))
                .map(dependency -> Repository.texts(dependency, "artifactId").get(0))
                .toList();
    }

    private static String version(Document pom) {
        return Repository.texts(pom, "version").get(0);
    }
}
