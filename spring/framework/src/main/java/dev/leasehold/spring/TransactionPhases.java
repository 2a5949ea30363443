package dev.leasehold.spring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Knows whether the transaction of a thread is being completed. For the callbacks of that time Spring still says that a transaction is
 * active, although it is committed or rolled back, and what they do is no part of it. Listens to each transaction manager that is a bean.
 * Loaded only with Spring's transactions.
 */
final class TransactionPhases implements BeanPostProcessor, TransactionExecutionListener {

    /** For each transaction that the thread has begun, the innermost first: whether its completion has begun. */
    private static final ThreadLocal<Deque<Boolean>> COMPLETING = ThreadLocal.withInitial(ArrayDeque::new);

    TransactionPhases() {}

    /** Returns whether the innermost transaction of this thread is being completed. */
    static boolean completing() {
        return Boolean.TRUE.equals(COMPLETING.get().peek());
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(this);
        }
        return bean;
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
        if (failure == null) {
            COMPLETING.get().push(false);
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        begins();
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        begins();
    }

    private static void begins() {
        if (COMPLETING.get().poll() != null) {
            COMPLETING.get().push(true);
        }
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
        ended();
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
        ended();
    }

    private static void ended() {
        Deque<Boolean> open = COMPLETING.get();
        open.poll();
        if (open.isEmpty()) {
            COMPLETING.remove();
        }
    }
}
