package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.Lock.Release;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lock that is free before the transaction is committed protects nothing. */
class TransactionIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(Counter.class);

    @Inject
    Leasehold leasehold;

    @Inject
    Counter counter;

    @BeforeEach
    void forget() {
        counter.heldAtEnd.clear();
    }

    private boolean isHeld() {
        return leasehold.inspector().find("counter").isPresent();
    }

    @Test
    void releasesTheLockAfterTheTransactionOfTheMethod() {
        counter.increment();
        assertThat(counter.heldAtEnd).containsExactly(true);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void refusesACallInATransactionThatWouldOutliveTheLock() {
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(counter::increment))
                .hasStackTraceContaining("is refused: its caller has a transaction open");
    }

    @Test
    void locksATransactionOfItsOwnInsideOfAnother() {
        QuarkusTransaction.requiringNew().run(counter::incrementOnItsOwn);
        assertThat(counter.heldAtEnd).containsExactly(true);
    }

    @Test
    void holdsTheLockUntilTheTransactionOfTheCallerEnds() {
        QuarkusTransaction.requiringNew().run(() -> {
            counter.incrementWithCaller();
            assertThat(isHeld()).isTrue();
        });
        assertThat(counter.heldAtEnd).containsExactly(true);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void doesNotCommitATransactionThatLostItsLock() {
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(() -> {
                    counter.incrementForShort();
                    await().atMost(Duration.ofSeconds(30)).until(() -> !isHeld());
                }))
                .hasStackTraceContaining(LeaseLostException.class.getName());
        assertThat(counter.statusAtEnd).isEqualTo(Status.STATUS_ROLLEDBACK);
    }

    @Singleton
    static class Counter implements Synchronization {

        final List<Boolean> heldAtEnd = new ArrayList<>();
        int statusAtEnd;

        @Inject
        Leasehold leasehold;

        @Inject
        TransactionSynchronizationRegistry transactions;

        @Override
        public void beforeCompletion() {
            heldAtEnd.add(leasehold.inspector().find("counter").isPresent());
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
}
