package dev.leasehold.tck;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The matrix of contracts, adapters, ways in which these connect, and topologies. The system property {@value #SET} names the
 * {@link ContractSet} that a run draws; without it, a run draws all. {@value #TOPOLOGIES} and {@value #WAYS} name the only
 * topologies and ways, separated by commas.
 */
public final class ContractMatrix implements ArgumentsProvider {

    private static final String SET = "leasehold.tck.set";
    private static final String TOPOLOGIES = "leasehold.tck.topologies";
    private static final String WAYS = "leasehold.tck.ways";

    /** For JUnit. */
    public ContractMatrix() {}

    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        Class<?> contract = context.getRequiredTestClass();
        ContractSet set = ContractSet.valueOf(System.getProperty(SET, "nightly").toUpperCase(Locale.ROOT));
        List<String> topologies = named(TOPOLOGIES);
        List<String> ways = named(WAYS);
        List<ContractAdapter> adapters = ServiceLoader.load(ContractAdapter.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        if (adapters.isEmpty()) {
            throw new IllegalStateException("No adapter to test: name a ContractAdapter in META-INF/services");
        }
        return adapters.stream()
                .flatMap(adapter -> combinations(contract, adapter).stream())
                .filter(each -> set.draws(contract, each))
                .filter(each -> topologies.isEmpty()
                        || topologies.contains(each.topology().name()))
                .filter(each -> ways.isEmpty() || ways.contains(each.way().name()))
                .map(Arguments::of);
    }

    private static List<String> named(String property) {
        String names = System.getProperty(property, "");
        return names.isEmpty() ? List.of() : Arrays.asList(names.split(","));
    }

    /**
     * Returns all combinations in which a contract can run over an adapter.
     *
     * @param contract a contract
     * @param adapter the adapter
     * @return in the order of its ways and of the topologies
     */
    public static List<Combination> combinations(Class<?> contract, ContractAdapter adapter) {
        Set<Topology> topologies = topologies(contract);
        return adapter.ways().stream()
                .filter(way -> canKeep(way, contract))
                .flatMap(way -> topologies.stream()
                        .filter(way.topologies()::contains)
                        .map(topology -> new Combination(adapter, way, topology)))
                .toList();
    }

    /** Contracts that start servers of their own connect to them by URIs, except those of transports. */
    private static boolean canKeep(ContractWay way, Class<?> contract) {
        if (way.leavesOut(contract)) {
            return false;
        }
        On on = contract.getAnnotation(On.class);
        if (on == null || TransportBase.class.isAssignableFrom(contract)) {
            return true;
        }
        return way.isByUri()
                && (way.hasConnectors() || !on.withConnectors())
                && (way.hasCredentials() || !on.withCredentials());
    }

    /**
     * Returns where a contract applies.
     *
     * @param contract a contract
     * @return in the order of the table
     */
    public static Set<Topology> topologies(Class<?> contract) {
        On on = contract.getAnnotation(On.class);
        if (on != null) {
            return EnumSet.copyOf(Arrays.asList(on.value()));
        }
        Set<Topology> all = EnumSet.allOf(Topology.class);
        for (Except except : contract.getAnnotationsByType(Except.class)) {
            all.removeAll(Arrays.asList(except.value()));
        }
        return all;
    }

    /**
     * Returns whether a contract starts servers of its own, and not those of a topology.
     *
     * @param contract a contract
     * @return whether it says where
     */
    public static boolean hasOwnServers(Class<?> contract) {
        return contract.isAnnotationPresent(On.class);
    }
}
