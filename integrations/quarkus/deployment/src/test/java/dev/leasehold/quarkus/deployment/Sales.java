package dev.leasehold.quarkus.deployment;

import dev.leasehold.annotation.Lock;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Listeners with a lock, called at the end of a transaction. */
@Singleton
class Sales {

    record Sale(boolean fails) {}

    final Queue<String> noted = new ConcurrentLinkedQueue<>();

    @Inject
    Event<Sale> sales;

    @Inject
    TransactionSynchronizationRegistry transactions;

    @Transactional
    void sell(Sale sale) {
        transactions.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                synchronization();
            }
        });
        sales.fire(sale);
        if (sale.fails()) {
            throw new IllegalArgumentException("sold out");
        }
    }

    @Lock("after")
    void committed(@Observes(during = TransactionPhase.AFTER_SUCCESS) Sale sale) {
        noted.add("committed " + BaseDesk.heldNow());
    }

    @Lock("after")
    void rolledBack(@Observes(during = TransactionPhase.AFTER_FAILURE) Sale sale) {
        noted.add("rolled back " + BaseDesk.heldNow());
    }

    @Lock("after")
    void completed(@Observes(during = TransactionPhase.AFTER_COMPLETION) Sale sale) {
        noted.add("completed " + BaseDesk.heldNow());
    }

    @Lock("after")
    void synchronization() {
        noted.add("synchronization " + BaseDesk.heldNow());
    }
}
