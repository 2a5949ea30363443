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
 * Where a contract runs: wherever it applies. A test class that reaches its servers in its own way runs once. The
 * system property {@value #ONLY} names the only ones, separated by commas.
 */
public final class Topologies implements ArgumentsProvider {

    private static final String ONLY = "leasehold.tck.topologies";

    /** For JUnit. */
    public Topologies() {}

    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return of(context.getRequiredTestClass()).stream().map(Arguments::of);
    }

    /**
     * Where a test class runs.
     *
     * @param tests a contract's
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
        String only = System.getProperty(ONLY);
        if (only != null) {
            all.retainAll(Arrays.stream(only.split(",")).map(Topology::valueOf).toList());
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
