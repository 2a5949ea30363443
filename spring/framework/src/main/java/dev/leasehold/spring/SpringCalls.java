package dev.leasehold.spring;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CallEnvironment;
import dev.leasehold.annotation.CallerTransactions;
import dev.leasehold.annotation.LockGate;
import dev.leasehold.annotation.ReactorTransactions;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/** What calls under locks use of the beans of an application. */
final class SpringCalls implements CallEnvironment {

    /** Whether the application has Spring's transactions. */
    static final boolean TRANSACTIONS =
            isPresent("org.springframework.transaction.support.TransactionSynchronizationManager");

    private static final boolean PROPAGATES_CONTEXT = isPresent("io.micrometer.context.ContextSnapshotFactory");

    private final BeanFactory beans;
    private final CallerTransactions transactions = TRANSACTIONS ? new Transactions() : CallerTransactions.NONE;

    SpringCalls(BeanFactory beans) {
        this.beans = beans;
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, SpringCalls.class.getClassLoader());
    }

    @Override
    public Leasehold leasehold() {
        return beans.getBean(Leasehold.class);
    }

    @Override
    public LockGate gate() {
        return beans.getBean(LockGate.class);
    }

    @Override
    public Executor executor(String name) {
        Executor pool = beans.getBean(name, Executor.class);
        return PROPAGATES_CONTEXT ? task -> pool.execute(new ContextPropagatingTaskDecorator().decorate(task)) : pool;
    }

    @Override
    public CallerTransactions transactions() {
        return transactions;
    }

    @Override
    public ReactorTransactions reactorTransactions() {
        return transactions instanceof Transactions ofSpring
                ? new TransactionsOfReactor(ofSpring)
                : ReactorTransactions.NONE;
    }
}
