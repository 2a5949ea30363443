package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.tck.Combination;
import dev.leasehold.tck.ContractAdapter;
import dev.leasehold.tck.ContractMatrix;
import dev.leasehold.tck.ContractSet;
import dev.leasehold.tck.Except;
import dev.leasehold.tck.Topology;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The nightly set runs every contract over every adapter wherever Redis runs; where one does not apply, the tables of the handbook
 * say why. {@link ContractSet} has what the other sets draw.
 */
class ContractMatrixTest {

    private static final String CONTRACTS = "testing/tck/src/main/java/dev/leasehold/tck";
    private static final String SERVICE = "src/test/resources/META-INF/services/" + ContractAdapter.class.getName();
    private static final String ENGLISH = "docs/reference/servers-and-adapters.md";
    private static final String CHINESE = "docs/zh/reference/servers-and-adapters.md";
    private static final String TABLE = "<!-- contracts -->\n\n";

    /** On how many contracts a topology is tested at least, where these are fewer than on others. */
    private static final Map<Topology, Integer> LEAST =
            Map.of(Topology.QUORUM_ONE_DEAD, 7, Topology.QUORUM_ONE_FROZEN, 7);

    /** The adapters: the folder whose tests run the contracts, the folder of the classes, and their package. */
    private enum Adapter {
        LETTUCE("testing/lettuce", "clients/lettuce", "dev.leasehold.lettuce."),
        JEDIS("clients/jedis", "clients/jedis", "dev.leasehold.jedis."),
        SPRING_DATA("clients/spring-data-redis", "clients/spring-data-redis", "dev.leasehold.springdata.");

        private final Path tests;
        private final Path main;
        private final String packageName;

        Adapter(String tests, String main, String packageName) {
            this.tests = Repository.ROOT.resolve(tests);
            this.main = Repository.ROOT.resolve(main);
            this.packageName = packageName;
        }

        ContractAdapter load() throws Exception {
            String name = Repository.read(tests.resolve(SERVICE)).strip();
            try (Loader loader = new Loader(this)) {
                ContractAdapter loaded = (ContractAdapter)
                        loader.loadClass(name).getDeclaredConstructor().newInstance();
                assertThat(loaded.ways()).isNotEmpty();
                return loaded;
            }
        }
    }

    private static List<Class<?>> contracts() throws Exception {
        List<Class<?>> contracts = new ArrayList<>();
        try (Stream<Path> files = Files.list(Repository.ROOT.resolve(CONTRACTS))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                if (name.endsWith("Contract")) {
                    Class<?> contract = Class.forName("dev.leasehold.tck." + name);
                    if (!Modifier.isAbstract(contract.getModifiers())) {
                        contracts.add(contract);
                    }
                }
            }
        }
        assertThat(contracts).hasSizeGreaterThan(60);
        return contracts;
    }

    private static List<Class<?>> onTopologies() throws Exception {
        return contracts().stream()
                .filter(contract -> !ContractMatrix.hasOwnServers(contract))
                .toList();
    }

    /** Loads an adapter's classes beside its tests, which see what is not public. */
    private static final class Loader extends URLClassLoader {
        private final Adapter adapter;

        Loader(Adapter adapter) throws Exception {
            super(new URL[] {
                adapter.main.resolve("target/classes/").toUri().toURL(),
                adapter.tests.resolve("target/test-classes/").toUri().toURL()
            });
            this.adapter = adapter;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(adapter.packageName)) {
                return ContractMatrixTest.class.getClassLoader().loadClass(name);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    private static List<Combination> drawn(Class<?> contract, ContractAdapter adapter, ContractSet set) {
        return ContractMatrix.combinations(contract, adapter).stream()
                .filter(each -> set.draws(contract, each))
                .toList();
    }

    private static Set<Topology> topologies(Collection<Combination> combinations) {
        return combinations.stream()
                .map(Combination::topology)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Topology.class)));
    }

    @ParameterizedTest
    @EnumSource
    void theNightlySetRunsEveryContractWhereverItApplies(Adapter each) throws Exception {
        ContractAdapter adapter = each.load();
        List<String> overNone = new ArrayList<>();
        for (Class<?> contract : contracts()) {
            List<Combination> drawn = drawn(contract, adapter, ContractSet.NIGHTLY);
            assertThat(drawn)
                    .as(contract.getSimpleName())
                    .hasSameSizeAs(ContractMatrix.combinations(contract, adapter));
            if (drawn.isEmpty()) {
                overNone.add(contract.getSimpleName());
            } else {
                assertThat(topologies(drawn))
                        .as(contract.getSimpleName())
                        .isEqualTo(ContractMatrix.topologies(contract));
            }
        }
        assertThat(overNone)
                .isEqualTo(
                        each == Adapter.SPRING_DATA
                                ? List.of(
                                        "ClusterRoutingContract",
                                        "ClusterTransportFailureContract",
                                        "ClusterUriContract",
                                        "ClusterWakeUpContract",
                                        "ConnectorContract",
                                        "CredentialsContract",
                                        "GuardedSentinelContract",
                                        "SentinelTransportContract",
                                        "ShardChannelsContract",
                                        "TlsContract")
                                : List.of());
    }

    @ParameterizedTest
    @EnumSource
    void aModuleRunsTheContractsOverAnAdapter(Adapter adapter) {
        assertThat(Repository.read(adapter.tests.resolve("pom.xml")))
                .contains(
                        "<dependency>dev.leasehold:leasehold-tck</dependency>", "<include>**/*Contract.java</include>");
    }

    @Test
    void everyBuildRunsEachContractOverLettuceAndTheFullBuildOnOneMoreTopology() throws Exception {
        ContractAdapter lettuce = Adapter.LETTUCE.load();
        Set<Topology> taken = EnumSet.noneOf(Topology.class);
        for (Class<?> contract : contracts()) {
            assertThat(drawn(contract, lettuce, ContractSet.DEFAULT))
                    .as(contract.getSimpleName())
                    .isNotEmpty();
            boolean ownServers = ContractMatrix.hasOwnServers(contract);
            Topology another = ContractSet.Contracts.alsoOn(contract);
            assertThat(topologies(drawn(contract, lettuce, ContractSet.FULL)))
                    .as(contract.getSimpleName())
                    .containsAll(
                            ContractSet.Contracts.EVERYWHERE.contains(contract) || ownServers
                                    ? ContractMatrix.topologies(contract)
                                    : EnumSet.of(Topology.STANDALONE, another));
            if (!ownServers) {
                taken.add(another);
            }
        }
        assertThat(taken).containsAll(EnumSet.complementOf(EnumSet.of(Topology.STANDALONE)));
    }

    @ParameterizedTest
    @EnumSource
    void everyBuildRunsSmokeContractsOnEveryTopology(Adapter each) throws Exception {
        ContractAdapter adapter = each.load();
        Set<Topology> met = EnumSet.noneOf(Topology.class);
        for (Class<?> contract : ContractSet.Contracts.SMOKE) {
            Set<Topology> drawn = topologies(drawn(contract, adapter, ContractSet.DEFAULT));
            assertThat(drawn)
                    .as(contract.getSimpleName())
                    .isEqualTo(topologies(ContractMatrix.combinations(contract, adapter)));
            met.addAll(drawn);
        }
        assertThat(met).containsExactlyInAnyOrder(Topology.values());
    }

    @Test
    void contractsRunOnEveryTopologyAndEachOnOneServer() throws Exception {
        for (Topology topology : Topology.values()) {
            long here = onTopologies().stream()
                    .filter(contract -> ContractMatrix.topologies(contract).contains(topology))
                    .count();
            assertThat(here).as(topology.title()).isGreaterThanOrEqualTo(LEAST.getOrDefault(topology, 15));
        }
        assertThat(onTopologies())
                .allMatch(contract -> ContractMatrix.topologies(contract).contains(Topology.STANDALONE));
    }

    /** The build draws the default set, the profile "full" the full one, and a property any. */
    @Test
    void aPropertyNamesTheSet() {
        String[] pom = Repository.read(Repository.ROOT.resolve("pom.xml")).split("<id>full</id>");
        assertThat(pom).hasSize(2);
        assertThat(pom[0])
                .contains(
                        "<leasehold.tck.set>default</leasehold.tck.set>",
                        "<leasehold.tck.set>${leasehold.tck.set}</leasehold.tck.set>");
        assertThat(pom[1]).contains("<leasehold.tck.set>full</leasehold.tck.set>");
    }

    private static String names(Collection<Class<?>> contracts) {
        return contracts.stream()
                .map(contract -> contract.getSimpleName().replace("Contract", ""))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource({ENGLISH + ", `mvn verify` runs", CHINESE + ", `mvn verify` 运行"})
    void theHandbookNamesWhatEachBuildRuns(String page, String before) {
        assertThat(Repository.read(Repository.ROOT.resolve(page)))
                .contains(
                        before + " " + names(ContractSet.Contracts.SMOKE) + " ",
                        names(ContractSet.Contracts.OF_CLIENTS) + " ",
                        " " + names(ContractSet.Contracts.OVER_BLOCKING_CLIENTS));
    }

    /** Where contracts do not apply: which, where, and why. */
    private static List<String> rows() throws Exception {
        Map<String, List<String>> contractsByReason = new LinkedHashMap<>();
        for (Class<?> contract : onTopologies()) {
            for (Except except : contract.getAnnotationsByType(Except.class)) {
                String where =
                        Arrays.stream(except.value()).map(Topology::title).collect(Collectors.joining(", "));
                String row = where + " | " + except.because();
                contractsByReason
                        .computeIfAbsent(row, any -> new ArrayList<>())
                        .add(contract.getSimpleName().replace("Contract", ""));
            }
        }
        return contractsByReason.entrySet().stream()
                .map(row -> "| " + String.join(", ", row.getValue()) + " | " + row.getKey() + " |")
                .sorted()
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
