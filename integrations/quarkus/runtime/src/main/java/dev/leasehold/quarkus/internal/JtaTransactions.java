package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.CallerTransactions;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockedMethod;
import jakarta.inject.Singleton;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Ties a lock to the transaction of its caller; a bean if the application has transactions. */
@Singleton
public final class JtaTransactions implements CallerTransactions {

    private final TransactionSynchronizationRegistry registry;

    JtaTransactions(TransactionSynchronizationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public boolean outlive(LockedMethod method) {
        if (!isOpen() || hasItsOwn(method)) {
            return false;
        }
        if (method.release() == Lock.Release.AFTER_TRANSACTION) {
            return true;
        }
        throw new IllegalStateException(
                method.shown() + " is refused: its caller has a transaction open, and the lock would be free"
                        + " before that is committed. Put @Lock on the method that opens the transaction, set release ="
                        + " AFTER_TRANSACTION, or give the method a transaction of its own (REQUIRES_NEW)");
    }

    /** Returns whether what the caller does is part of a transaction: once its completion has begun it is over. */
    private boolean isOpen() {
        int status = registry.getTransactionStatus();
        return status == Status.STATUS_ACTIVE || status == Status.STATUS_MARKED_ROLLBACK;
    }

    private static boolean hasItsOwn(LockedMethod method) {
        Transactional transactional = method.method().getAnnotation(Transactional.class);
        if (transactional == null) {
            transactional = method.target().getAnnotation(Transactional.class);
        }
        return transactional != null
                && (transactional.value() == TxType.REQUIRES_NEW || transactional.value() == TxType.NOT_SUPPORTED);
    }

    @Override
    public void atEnd(LockedMethod method, Runnable beforeCommit, Runnable afterEnd) {
        registry.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                beforeCommit.run();
            }

            @Override
            public void afterCompletion(int status) {
                afterEnd.run();
            }
        });
    }
}
