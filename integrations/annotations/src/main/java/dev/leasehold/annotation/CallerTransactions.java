package dev.leasehold.annotation;

/** The transactions in which methods with {@link Lock} are called; implemented by the adapter of a framework. */
public interface CallerTransactions {

    /** No transactions. */
    CallerTransactions NONE = new CallerTransactions() {
        @Override
        public boolean outlive(LockedMethod method) {
            return false;
        }

        @Override
        public void atEnd(LockedMethod method, Runnable beforeCommit, Runnable afterEnd) {
            throw new IllegalStateException(method.shown() + " is called without a transaction");
        }
    };

    /**
     * Returns whether the lock must outlive the method, until the end of a transaction that is open at the call.
     *
     * @param method the method that is called
     * @return whether the release waits for the transaction
     * @throws IllegalStateException if it must, and the method does not permit it
     */
    boolean outlive(LockedMethod method);

    /**
     * Ties two actions to the end of the transaction that is open.
     *
     * @param method the method that is called
     * @param beforeCommit throws if the transaction must not be committed
     * @param afterEnd runs after commit or rollback, and throws nothing
     */
    void atEnd(LockedMethod method, Runnable beforeCommit, Runnable afterEnd);
}
