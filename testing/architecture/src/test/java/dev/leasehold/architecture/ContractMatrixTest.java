package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.tck.ContractBase;
import dev.leasehold.tck.Except;
import dev.leasehold.tck.Smoke;
import dev.leasehold.tck.Topologies;
import dev.leasehold.tck.Topology;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every contract can run over every adapter wherever Redis runs; where one does not, the tables of the handbook say why. Every
 * build runs all contracts over Lettuce on one server, and smoke contracts over every adapter everywhere; {@code -Pfull} runs all
 * over Lettuce everywhere, and over Jedis those that find faults of blocking clients. The rest repeats the engine's contracts over
 * another adapter, and is run by hand.
 */
class ContractMatrixTest {

    private static final String CONTRACTS = "testing/tck/src/main/java/dev/leasehold/tck";
    private static final Pattern OWN_WAY = Pattern.compile(" (?:start|builder)\\(");
    private static final String LONG = "\n@Tag(\"long\")\n";
    private static final String REPEATED = "\n@Tag(\"repeated\")\n";
    private static final String ENGLISH = "docs/reference/servers-and-adapters.md";
    private static final String CHINESE = "docs/zh/reference/servers-and-adapters.md";
    private static final String TABLE = "<!-- contracts -->\n\n";

    /** What exercises most of the core's way to a blocking client, besides the contracts of transports. */
    private static final Set<String> OVER_BLOCKING_CLIENTS = Set.of(
            "DurabilityContract", "OutageContract", "RenewalContract", "ScriptRightsContract", "WaitingContract");

    /** The directory and the name prefix of the tests over an adapter. */
    private static final Map<String, String> ADAPTERS = Map.of(
            "clients/lettuce/src/test/java/dev/leasehold/lettuce", "Lettuce",
            "clients/jedis/src/test/java/dev/leasehold/jedis", "Jedis",
            "clients/spring-data-redis/src/test/java/dev/leasehold/springdata", "SpringData");

    private static List<Class<?>> contracts() throws IOException, ClassNotFoundException {
        List<Class<?>> contracts = new ArrayList<>();
        try (Stream<Path> files = Files.list(Repository.ROOT.resolve(CONTRACTS))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                if (name.endsWith("Contract") && !name.equals("WiredContract")) {
                    Class<?> contract = Class.forName("dev.leasehold.tck." + name);
                    if (ContractBase.class.isAssignableFrom(contract) && Modifier.isAbstract(contract.getModifiers())) {
                        contracts.add(contract);
                    }
                }
            }
        }
        return contracts;
    }

    @Test
    void everyContractRunsOverEveryAdapterInNoWayOfItsOwn() throws Exception {
        List<String> missing = new ArrayList<>();
        for (Class<?> contract : contracts()) {
            String name = contract.getSimpleName();
            ADAPTERS.forEach((folder, adapter) -> {
                Path test = Repository.ROOT.resolve(folder).resolve(adapter + name + "IT.java");
                if (!Files.exists(test)
                        || !Repository.read(test).contains(" extends " + name + " {")
                        || OWN_WAY.matcher(Repository.read(test)).find()) {
                    missing.add(test.getFileName().toString());
                }
            });
        }
        assertThat(missing).isEmpty();
        assertThat(contracts()).hasSizeGreaterThan(30);
    }

    @Test
    void mostContractsRunOnEveryTopologyAndEachOnOneServer() throws Exception {
        for (Topology topology : Topology.values()) {
            long here = contracts().stream()
                    .filter(contract -> Topologies.of(contract).contains(topology))
                    .count();
            assertThat(here)
                    .as(topology.title())
                    .isGreaterThanOrEqualTo(topology.title().startsWith("quorum") ? 6 : 15);
        }
        assertThat(contracts()).allMatch(contract -> Topologies.of(contract).contains(Topology.STANDALONE));
    }

    private static boolean isSmoke(Class<?> contract) {
        return contract.isAnnotationPresent(Smoke.class);
    }

    @Test
    void allContractsRunOverLettuceAndOverTheOtherAdaptersWhatFindsTheirFaults() throws Exception {
        for (Class<?> contract : contracts()) {
            String name = contract.getSimpleName();
            ADAPTERS.forEach((folder, adapter) -> {
                Path test = Repository.ROOT.resolve(folder).resolve(adapter + name + "IT.java");
                if (Files.exists(test)) {
                    boolean everywhere = adapter.equals("Lettuce") || isSmoke(contract);
                    boolean full = adapter.equals("Jedis") && OVER_BLOCKING_CLIENTS.contains(name);
                    assertThat(Repository.read(test).contains(LONG))
                            .as("%s is left to -Pfull", test.getFileName())
                            .isEqualTo(!everywhere && full);
                    assertThat(Repository.read(test).contains(REPEATED))
                            .as("%s is left to runs by hand", test.getFileName())
                            .isEqualTo(!everywhere && !full);
                }
            });
        }
    }

    @Test
    void everyBuildRunsSmokeContractsOnEveryTopologyAndTheOthersOnOneServer() throws Exception {
        Set<Topology> met = EnumSet.noneOf(Topology.class);
        for (Class<?> contract : contracts()) {
            if (isSmoke(contract)) {
                assertThat(Topologies.inEveryBuild(contract)).isEqualTo(Topologies.of(contract));
                met.addAll(Topologies.inEveryBuild(contract));
            } else {
                assertThat(Topologies.inEveryBuild(contract)).containsExactly(Topology.STANDALONE);
            }
        }
        assertThat(met).containsExactlyInAnyOrder(Topology.values());
    }

    /** What each build leaves to {@code -Pfull} is left out by one tag and one setting, and there neither stands. */
    @Test
    void fullLeavesOnlyRepetitionsOut() {
        String[] pom = Repository.read(Repository.ROOT.resolve("pom.xml")).split("<id>full</id>");
        assertThat(pom).hasSize(2);
        assertThat(pom[0])
                .contains(
                        "<leasehold.test.excludedGroups>full | jdk25 | long | repeated</leasehold.test.excludedGroups>",
                        "<leasehold.test.quick>true</leasehold.test.quick>",
                        "<leasehold.tck.quick>${leasehold.test.quick}</leasehold.tck.quick>");
        assertThat(pom[1])
                .contains(
                        "<leasehold.test.excludedGroups>jdk25 | repeated</leasehold.test.excludedGroups>",
                        "<leasehold.test.quick>false</leasehold.test.quick>");
    }

    @ParameterizedTest
    @CsvSource({ENGLISH + ", `mvn verify` runs", CHINESE + ", `mvn verify` 运行"})
    void theHandbookNamesWhatEachBuildRuns(String page, String before) throws Exception {
        String names = contracts().stream()
                .filter(ContractMatrixTest::isSmoke)
                .map(contract -> contract.getSimpleName().replace("Contract", ""))
                .collect(Collectors.joining(", "));
        String overBlockingClients = OVER_BLOCKING_CLIENTS.stream()
                .map(contract -> contract.replace("Contract", ""))
                .sorted()
                .collect(Collectors.joining(", "));
        assertThat(Repository.read(Repository.ROOT.resolve(page)))
                .contains(before + " " + names + " ", " " + overBlockingClients);
    }

    /** Where contracts do not apply: which, where, and why. */
    private static List<String> rows() throws Exception {
        Map<String, List<String>> contractsByReason = new LinkedHashMap<>();
        Map<String, String> reasons = new TreeMap<>();
        for (Class<?> contract : contracts()) {
            for (Except except : contract.getAnnotationsByType(Except.class)) {
                String where =
                        Arrays.stream(except.value()).map(Topology::title).collect(Collectors.joining(", "));
                String row = where + " | " + except.because();
                contractsByReason
                        .computeIfAbsent(row, any -> new ArrayList<>())
                        .add(contract.getSimpleName().replace("Contract", ""));
            }
        }
        contractsByReason.forEach((row, contracts) -> reasons.put(String.join(", ", contracts), row));
        return reasons.entrySet().stream()
                .map(row -> "| " + row.getKey() + " | " + row.getValue() + " |")
                .toList();
    }

    private static List<String> table(String page) {
        String text = Repository.read(Repository.ROOT.resolve(page));
        assertThat(text).contains(TABLE);
        return text.split(TABLE, 2)[1].split("\n\n", 2)[0].lines().skip(2).toList();
    }

    @Test
    void theTableIsThatOfTheContracts() throws Exception {
        assertThat(table(ENGLISH)).isEqualTo(rows());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theChineseTableHasTheSameContractsAndTopologies(int column) throws Exception {
        assertThat(table(CHINESE).stream().map(row -> row.split(" *\\| *", -1)[column]))
                .isEqualTo(rows().stream()
                        .map(row -> row.split(" *\\| *", -1)[column])
                        .toList());
    }
}
