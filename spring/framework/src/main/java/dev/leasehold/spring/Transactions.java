package dev.leasehold.spring;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Ties a lock to the transaction of its caller. Loaded only with Spring's transactions. */
final class Transactions {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    private Transactions() {}

    /**
     * Returns whether the lock must outlive the method, until the end of a transaction that is already open.
     *
     * @throws IllegalStateException if it must, and the method does not permit it
     */
    static boolean endsLater(LockedMethod method) {
        if (method.ownTransaction() || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        if (method.release() == Lock.Release.AFTER_TRANSACTION) {
            if (!TransactionSynchronizationManager.isSynchronizationActive()) {
                throw new IllegalStateException(
                        method.shown() + " is refused: the transaction manager does not report the end of a"
                                + " transaction, so release = AFTER_TRANSACTION cannot work. Call it without a transaction");
            }
            return true;
        }
        throw new IllegalStateException(
                method.shown() + " is refused: its caller has a transaction open, and the lock would be free"
                        + " before that is committed. Put @Lock on the method that opens the transaction, set release ="
                        + " AFTER_TRANSACTION, or give the method a transaction of its own (REQUIRES_NEW)");
    }

    /** Releases at the end of the transaction, which is not committed without the lease. */
    static void releaseAtEnd(LockedMethod method, Frame frame) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public int getOrder() {
                return Ordered.LOWEST_PRECEDENCE;
            }

            @Override
            public void beforeCommit(boolean readOnly) {
                frame.hold().lease().ensureHeld();
            }

            @Override
            public void afterCompletion(int status) {
                Frames.remove(frame);
                try {
                    frame.hold().leave();
                } catch (RuntimeException e) {
                    // The caller can no longer receive the exception.
                    LOG.warn("the lock of {} was not released with its transaction", method.shown(), e);
                }
            }
        });
    }
}
