package dev.leasehold.tck;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The topologies on which a contract runs: all to which it applies. A test class that reaches its servers in its own way
 * runs once. The system property {@value #ONLY} names the only ones, separated by commas. If it is absent and
 * {@value #QUICK} is true, contracts that are not marked {@link Smoke} run on one server.
 */
public final class Topologies implements ArgumentsProvider {

    private static final String ONLY = "leasehold.tck.topologies";

    private static final String QUICK = "leasehold.tck.quick";

    /** For JUnit. */
    public Topologies() {}

    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        Class<?> tests = context.getRequiredTestClass();
        return inThisRun(tests).stream().map(Arguments::of);
    }

    private static Set<Topology> inThisRun(Class<?> tests) {
        String only = System.getProperty(ONLY);
        if (only != null) {
            Set<Topology> chosen = of(tests);
            chosen.retainAll(
                    Arrays.stream(only.split(",")).map(Topology::valueOf).toList());
            return chosen;
        }
        return Boolean.getBoolean(QUICK) ? inEveryBuild(tests) : of(tests);
    }

    /**
     * Where {@code mvn verify} runs a test class, without {@code -Pfull}.
     *
     * @param tests a contract's
     * @return in the order of the table
     */
    public static Set<Topology> inEveryBuild(Class<?> tests) {
        return isSmoke(tests) ? of(tests) : EnumSet.of(Topology.STANDALONE);
    }

    private static boolean isSmoke(Class<?> tests) {
        Class<?> contract = tests;
        while (!isContract(contract)) {
            contract = contract.getSuperclass();
        }
        return contract.isAnnotationPresent(Smoke.class);
    }

    /**
     * Where {@code mvn verify -Pfull} runs a test class.
     *
     * @param tests a contract's test class
     * @return in the order of the table
     */
    public static Set<Topology> of(Class<?> tests) {
        if (hasItsOwnWay(tests)) {
            return EnumSet.of(Topology.STANDALONE);
        }
        Set<Topology> all = EnumSet.allOf(Topology.class);
        for (Except except : tests.getAnnotationsByType(Except.class)) {
            all.removeAll(Arrays.asList(except.value()));
        }
        return all;
    }

    private static boolean hasItsOwnWay(Class<?> tests) {
        for (Class<?> each = tests; !isContract(each); each = each.getSuperclass()) {
            if (Arrays.stream(each.getDeclaredMethods())
                    .anyMatch(one -> one.getName().equals("builder")
                            && Arrays.equals(one.getParameterTypes(), new Class<?>[] {String.class}))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isContract(Class<?> type) {
        return type.getPackage() == ContractBase.class.getPackage();
    }
}
