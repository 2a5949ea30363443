package dev.leasehold.spring;

import dev.leasehold.annotation.LockedMethod;
import dev.leasehold.annotation.ReactorTransactions;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Refuses locks that would be free before a reactive transaction of their caller is committed. Loaded only with both. */
final class TransactionsOfReactor implements ReactorTransactions {

    private final Transactions transactions;

    TransactionsOfReactor(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public void check(LockedMethod method, ContextView context) {
        if (isOpen(context) && !transactions.hasItsOwn(method)) {
            throw Transactions.refusal(
                    method,
                    "Put @Lock on the method that opens the transaction, or give the method a transaction of its own"
                            + " (REQUIRES_NEW)");
        }
    }

    /** Reads the context at once: nothing is waited for. */
    private static boolean isOpen(ContextView context) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .map(open -> open.isActualTransactionActive() && open.isSynchronizationActive())
                .onErrorResume(NoTransactionException.class, none -> Mono.just(false))
                .contextWrite(context)
                .toFuture()
                .getNow(false);
    }
}
