package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/architecture.md} against the code: packages, their arrows, the walks, and every class it names. */
class ArchitectureDocumentTest {
    private static final CodeBase REPOSITORY = CodeBase.ofRepository();
    private static final String CORE = "dev.leasehold";

    /** A row of the table of packages: its name, its purpose, and what it may use. */
    private static final Pattern ROW = Pattern.compile("^\\| `([\\w.]+)` \\|([^|]+)\\|([^|]*)\\|$", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

    /** A station of a walk: a link to a class, with one of its methods. */
    private static final Pattern STATION =
            Pattern.compile("^\\d+\\. \\[`(\\w+)\\.(\\w+)`]\\(\\.\\./([\\w./-]+)\\)", Pattern.MULTILINE);

    private static final Pattern WALK =
            Pattern.compile("^### (\\w+)[^\n]*\n(.*?)(?=^#|\\z)", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Map<String, Integer> MOST_STATIONS = Map.of("Acquire", 25, "Renew", 18, "Release", 18);

    private static final String DOCUMENT = Repository.read(Repository.ROOT.resolve("docs/architecture.md"));

    /** The packages that every package may use, so that the table need not repeat them. */
    private static Set<String> common() {
        Matcher line = Pattern.compile("^Every package may use (.+)\\.$", Pattern.MULTILINE)
                .matcher(DOCUMENT);
        assertThat(line.find()).as("the sentence 'Every package may use ...'").isTrue();
        return codes(line.group(1));
    }

    private static Set<String> codes(String text) {
        return CODE.matcher(text).results().map(code -> code.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Set<String>> documented() {
        Map<String, Set<String>> rows = new TreeMap<>();
        ROW.matcher(DOCUMENT).results().forEach(row -> rows.put(row.group(1), codes(row.group(3))));
        return rows;
    }

    /** A package of the API keeps its name if one of the same short name is internal. */
    private static String shortName(String packageName) {
        boolean hasNamesake = REPOSITORY
                .units()
                .anyMatch(unit -> unit.core()
                        && unit.javaClass()
                                .getPackageName()
                                .equals(packageName.replace(CORE + ".", CORE + ".internal.")));
        return packageName.equals(CORE) || hasNamesake
                ? packageName
                : packageName.substring(CORE.length() + 1).replaceFirst("^internal\\.", "");
    }

    private static Map<String, Set<String>> actual() {
        Map<String, Set<String>> packages = new TreeMap<>();
        Graph classes = ShapeRules.classGraph(REPOSITORY);
        REPOSITORY
                .units()
                .filter(unit -> unit.core() && unit.javaClass().isTopLevelClass())
                .forEach(unit -> {
                    String from = shortName(unit.javaClass().getPackageName());
                    Set<String> to = packages.computeIfAbsent(from, none -> new TreeSet<>());
                    classes.from(unit.name()).stream()
                            .map(ShapeRules::packageOf)
                            .map(ArchitectureDocumentTest::shortName)
                            .filter(other -> !other.equals(from))
                            .forEach(to::add);
                });
        return packages;
    }

    @Test
    void everyPackageIsInTheTable() {
        Set<String> listed = new TreeSet<>(documented().keySet());
        listed.addAll(common());
        assertThat(listed).isEqualTo(actual().keySet());
    }

    @Test
    void aPackageUsesWhatItsRowSaysAndNothingElse() {
        Set<String> common = common();
        Map<String, Set<String>> documented = documented();
        actual().forEach((name, uses) -> {
            Set<String> others = new TreeSet<>(uses);
            others.removeAll(common);
            if (!common.contains(name)) {
                assertThat(documented.get(name)).as("what %s may use", name).isEqualTo(others);
            }
        });
    }

    @Test
    void everyClassItNamesExists() {
        Set<String> known =
                REPOSITORY.units().map(unit -> unit.javaClass().getSimpleName()).collect(Collectors.toSet());
        List<String> missing = codes(DOCUMENT).stream()
                .map(code -> code.replaceFirst("[.(].*", ""))
                .filter(code -> code.matches("[A-Z][a-z]\\w+"))
                .filter(code -> !known.contains(code))
                .toList();
        assertThat(missing).isEmpty();
    }

    @Test
    void aStationOfAWalkIsAMethodOfTheClassThatItsLinkLeadsTo() {
        for (Station station : walks().values().stream().flatMap(List::stream).toList()) {
            assertThat(Files.isRegularFile(Repository.ROOT.resolve(station.file)))
                    .as(station.file)
                    .isTrue();
            assertThat(station.file).endsWith("/" + station.className + ".java");
            Set<String> methods = methods(station);
            assertThat(methods).as("methods of %s", station.className).contains(station.method);
        }
    }

    private static Set<String> methods(Station station) {
        Set<String> methods = new HashSet<>();
        REPOSITORY
                .units()
                .map(Unit::javaClass)
                .filter(c ->
                        c.getName().equals(station.fullName()) || c.getName().startsWith(station.fullName() + "$"))
                .map(JavaClass::getMethods)
                .forEach(those -> those.forEach(method -> methods.add(method.getName())));
        return methods;
    }

    @Test
    void aWalkGoesAlongTheArrowsOfThePackages() {
        Map<String, Set<String>> actual = actual();
        walks().forEach((name, stations) -> {
            List<String> leaps = new ArrayList<>();
            for (int i = 1; i < stations.size(); i++) {
                String from = stations.get(i - 1).packageName();
                String to = stations.get(i).packageName();
                boolean known = from.equals(to)
                        || !actual.containsKey(from)
                        || !actual.containsKey(to)
                        || actual.get(from).contains(to)
                        || actual.get(to).contains(from);
                if (!known) {
                    leaps.add(from + " -> " + to);
                }
            }
            assertThat(leaps)
                    .as("steps of %s between packages that do not know each other", name)
                    .isEmpty();
        });
    }

    @Test
    void theWalksAreShort() {
        Map<String, List<Station>> walks = walks();
        assertThat(walks.keySet()).containsAll(MOST_STATIONS.keySet()).contains("Wait");
        MOST_STATIONS.forEach(
                (name, most) -> assertThat(walks.get(name)).as(name).hasSizeLessThanOrEqualTo(most));
    }

    private record Station(String className, String method, String file) {
        String fullName() {
            return file.replaceFirst(".*/src/main/java/", "")
                    .replace(".java", "")
                    .replace('/', '.');
        }

        String packageName() {
            String name = ShapeRules.packageOf(fullName());
            return name.startsWith(CORE) ? shortName(name) : name;
        }
    }

    private static Map<String, List<Station>> walks() {
        Map<String, List<Station>> walks = new TreeMap<>();
        WALK.matcher(DOCUMENT).results().forEach(walk -> {
            List<Station> stations = STATION.matcher(walk.group(2))
                    .results()
                    .map(found -> new Station(found.group(1), found.group(2), found.group(3)))
                    .toList();
            if (!stations.isEmpty()) {
                walks.put(walk.group(1), stations);
            }
        });
        return walks;
    }
}
