package dev.leasehold.tck;

import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Root of all contracts, which run once for each combination that {@link ContractMatrix} draws. Where classes run in parallel,
 * contracts do, too, and the tests of one follow each other.
 */
@ParameterizedClass(name = "{displayName} ({0})", allowZeroInvocations = true)
@ArgumentsSource(ContractMatrix.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = AnyContract.OneThread.class)
@ExtendWith(AnyContract.NameOfCombination.class)
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

    /** JUnit runs what is below a class that locks a resource in one thread, here one that nobody else locks. */
    static final class OneThread implements ResourceLocksProvider {

        @Override
        public Set<Lock> provideForClass(Class<?> contract) {
            return Set.of(new Lock(contract.getName(), ResourceAccessMode.READ_WRITE));
        }
    }

    /** Reports of Surefire number the combinations: a failure says which it is. */
    static final class NameOfCombination
            implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
            context.getRequiredTestInstances()
                    .findInstance(AnyContract.class)
                    .ifPresent(contract -> failure.addSuppressed(new AssertionError("in " + contract.combination)));
            throw failure;
        }

        @Override
        public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
                throws Throwable {
            handleTestExecutionException(context, failure);
        }

        @Override
        public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
                throws Throwable {
            handleTestExecutionException(context, failure);
        }
    }
}
