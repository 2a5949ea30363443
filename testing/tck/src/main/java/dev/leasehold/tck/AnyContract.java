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

    /**
     * Returns servers that were started for this invocation. It fails if they are not of the topology that the invocation's name
     * claims, as when a contract starts them before JUnit sets its parameter.
     */
    final Site claimed(Combination drawn, Site started) {
        if (drawn.equals(combination) && started.topology() == drawn.topology()) {
            return started;
        }
        started.close();
        throw new IllegalStateException("The servers of " + getClass().getSimpleName() + " (" + drawn
                + ") are of the topology " + started.topology().title());
    }

    /** Returns the way in which the adapter under test connects. */
    final ContractWay way() {
        return combination.way();
    }

    /** Returns the topology under test. */
    final Topology topology() {
        return combination.topology();
    }
}
