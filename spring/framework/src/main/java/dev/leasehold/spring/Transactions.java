package dev.leasehold.spring;

import dev.leasehold.annotation.CallerTransactions;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockedMethod;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Ties a lock to the transaction of its caller. Loaded only with Spring's transactions. */
final class Transactions implements CallerTransactions {

    private static final Set<String> OUTSIDE_THE_CALLERS_TRANSACTION = Set.of("REQUIRES_NEW", "NOT_SUPPORTED");

    /** Whether a method does not take part in a transaction of its caller. */
    private final Map<LockedMethod, Boolean> own = new ConcurrentHashMap<>();

    @Override
    public boolean outlive(LockedMethod method) {
        if (!isOpen() || hasItsOwn(method)) {
            return false;
        }
        if (method.release() == Lock.Release.AFTER_TRANSACTION) {
            return true;
        }
        throw refusal(
                method,
                "Put @Lock on the method that opens the transaction, set release = AFTER_TRANSACTION, or give the"
                        + " method a transaction of its own (REQUIRES_NEW)");
    }

    static IllegalStateException refusal(LockedMethod method, String remedy) {
        return new IllegalStateException(
                method.shown() + " is refused: its caller has a transaction open, and the lock would be free"
                        + " before that is committed. " + remedy);
    }

    boolean hasItsOwn(LockedMethod method) {
        return own.computeIfAbsent(method, Transactions::readItsOwn);
    }

    /** Returns whether what the caller does is part of a transaction: once its completion has begun it is over. */
    private static boolean isOpen() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive()
                && !TransactionPhases.completing();
    }

    private static boolean readItsOwn(LockedMethod method) {
        MergedAnnotation<Transactional> transactional = MergedAnnotations.from(
                        method.method(), SearchStrategy.TYPE_HIERARCHY)
                .get(Transactional.class);
        if (!transactional.isPresent()) {
            transactional = MergedAnnotations.from(method.target(), SearchStrategy.TYPE_HIERARCHY)
                    .get(Transactional.class);
        }
        return transactional.isPresent()
                && OUTSIDE_THE_CALLERS_TRANSACTION.contains(
                        String.valueOf(transactional.getValue("propagation").orElse("")));
    }

    @Override
    public void atEnd(LockedMethod method, Runnable beforeCommit, Runnable afterEnd) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return Ordered.LOWEST_PRECEDENCE;
            }

            @Override
            public void beforeCommit(boolean readOnly) {
                beforeCommit.run();
            }

            @Override
            public void afterCompletion(int status) {
                afterEnd.run();
            }
        });
    }
}
