package dev.leasehold.annotation;

import dev.leasehold.Leasehold;
import java.util.concurrent.Executor;

/** What calls under locks use of an application; implemented by the adapter of its framework. Thread-safe. */
public interface CallEnvironment {

    /**
     * Returns the client.
     *
     * @return the client, the same at each call
     */
    Leasehold leasehold();

    /**
     * Returns the gate, which counts the calls.
     *
     * @return the gate, the same at each call
     */
    LockGate gate();

    /**
     * Returns the pool of {@link Lock#executor}.
     *
     * @param name its name
     * @return the pool
     */
    Executor executor(String name);

    /**
     * Returns the transactions of the application.
     *
     * @return the transactions; by default there are none
     */
    default CallerTransactions transactions() {
        return CallerTransactions.NONE;
    }

    /**
     * Returns the transactions that Reactor's context carries. Called only with Reactor.
     *
     * @return the transactions; by default there are none
     */
    default ReactorTransactions reactorTransactions() {
        return ReactorTransactions.NONE;
    }
}
