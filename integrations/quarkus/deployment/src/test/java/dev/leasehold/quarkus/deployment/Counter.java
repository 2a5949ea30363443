package dev.leasehold.quarkus.deployment;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.Lock.Release;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.ArrayList;
import java.util.List;

/** Methods under a lock and in a transaction, which records whether the lock is held when that ends. */
@Singleton
class Counter implements Synchronization {

    final List<Boolean> heldAtEnd = new ArrayList<>();
    int statusAtEnd;

    @Inject
    Leasehold leasehold;

    @Inject
    TransactionSynchronizationRegistry transactions;

    @Override
    public void beforeCompletion() {
        heldAtEnd.add(leasehold.lock("counter").inspect().isPresent());
    }

    @Override
    public void afterCompletion(int status) {
        statusAtEnd = status;
    }

    @Lock("counter")
    @Transactional
    void increment() {
        transactions.registerInterposedSynchronization(this);
    }

    @Lock("counter")
    @Transactional(TxType.REQUIRES_NEW)
    void incrementOnItsOwn() {
        transactions.registerInterposedSynchronization(this);
    }

    @Lock(name = "counter", leaseTime = "500ms", maxRenewals = 0, release = Release.AFTER_TRANSACTION)
    @Transactional
    void incrementForShort() {
        transactions.registerInterposedSynchronization(this);
    }

    @Lock(name = "counter", release = Release.AFTER_TRANSACTION)
    @Transactional
    void incrementWithCaller() {
        transactions.registerInterposedSynchronization(this);
    }
}
