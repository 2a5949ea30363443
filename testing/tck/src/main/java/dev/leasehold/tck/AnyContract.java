package dev.leasehold.tck;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Root of all contracts, which run once for each combination that {@link ContractMatrix} draws. */
@ParameterizedClass(name = "{displayName} ({0})", allowZeroInvocations = true)
@ArgumentsSource(ContractMatrix.class)
abstract class AnyContract {

    /** For JUnit. */
    @Parameter
    Combination combination;

    /** Returns the way in which the adapter under test connects. */
    final ContractWay way() {
        return combination.way();
    }

    /** Returns the topology under test. */
    final Topology topology() {
        return combination.topology();
    }
}
