package dev.leasehold.quarkus.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CallEnvironment;
import dev.leasehold.annotation.CallerTransactions;
import dev.leasehold.annotation.LockGate;
import dev.leasehold.annotation.LockedCalls;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.inject.Singleton;
import java.util.concurrent.Executor;

/** What calls under locks use of the application. */
@Singleton
public final class LockCalls implements CallEnvironment {

    private final Leasehold leasehold;
    private final Instance<Executor> executors;
    private final CallerTransactions transactions;
    private final LockGate gate = new LockGate();
    private final LockedCalls calls = new LockedCalls(this);

    LockCalls(Leasehold leasehold, @Any Instance<Executor> executors, Instance<CallerTransactions> transactions) {
        this.leasehold = leasehold;
        this.executors = executors;
        this.transactions = transactions.isResolvable() ? transactions.get() : CallerTransactions.NONE;
    }

    LockedCalls calls() {
        return calls;
    }

    @Override
    public Leasehold leasehold() {
        return leasehold;
    }

    @Override
    public LockGate gate() {
        return gate;
    }

    @Override
    public Executor executor(String name) {
        Instance<Executor> named = executors.select(NamedLiteral.of(name));
        if (!named.isResolvable()) {
            throw new IllegalArgumentException(
                    "executor '" + name + "' is no bean. Declare an Executor with @Named(\"" + name + "\")");
        }
        return named.get();
    }

    @Override
    public CallerTransactions transactions() {
        return transactions;
    }
}
