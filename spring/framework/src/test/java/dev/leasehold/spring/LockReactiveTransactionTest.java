package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.Lock;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Hazard 50, in Reactor: a lock that is free before the transaction is committed protects nothing. */
class LockReactiveTransactionTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private LockedBeans beans;
    private Inner inner;
    private Outer outer;

    @Configuration
    @EnableLocks
    @EnableTransactionManagement
    static class Application {
        @Bean
        Transactions transactions(Leasehold leasehold) {
            return new Transactions(leasehold);
        }

        @Bean
        Inner inner() {
            return new Inner();
        }

        @Bean
        Outer outer(Inner inner) {
            return new Outer(inner);
        }
    }

    /** Notes whether the lock is held when a transaction begins and ends. */
    static class Transactions extends AbstractReactiveTransactionManager {
        private final Leasehold leasehold;
        private final Queue<String> noted = new ConcurrentLinkedQueue<>();

        Transactions(Leasehold leasehold) {
            this.leasehold = leasehold;
        }

        private Mono<Void> note(String what) {
            return Mono.fromRunnable(() -> noted.add(
                    what + (leasehold.lock("stock").inspect().isPresent() ? " under the lock" : " without a lock")));
        }

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager synchronization) {
            return synchronization.hasResource(this) ? new Running() : new Object();
        }

        private static final class Running {}

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return transaction instanceof Running;
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager synchronization,
                Object transaction,
                TransactionDefinition definition) {
            return note("begin").doOnSuccess(done -> synchronization.bindResource(this, "open"));
        }

        @Override
        protected Mono<Object> doSuspend(TransactionSynchronizationManager synchronization, Object transaction) {
            return Mono.fromSupplier(() -> synchronization.unbindResource(this));
        }

        @Override
        protected Mono<Void> doResume(
                TransactionSynchronizationManager synchronization, Object transaction, Object suspended) {
            return Mono.fromRunnable(() -> synchronization.bindResource(this, suspended));
        }

        @Override
        protected Mono<Void> doCommit(
                TransactionSynchronizationManager synchronization, GenericReactiveTransaction transaction) {
            return note("commit");
        }

        @Override
        protected Mono<Void> doRollback(
                TransactionSynchronizationManager synchronization, GenericReactiveTransaction transaction) {
            return note("rollback");
        }

        @Override
        protected Mono<Void> doCleanupAfterCompletion(
                TransactionSynchronizationManager synchronization, Object transaction) {
            return Mono.fromRunnable(() -> synchronization.unbindResource(this));
        }
    }

    static class Inner {
        @Lock("stock")
        public Mono<String> take() {
            return Mono.just("taken");
        }

        @Lock("stock")
        public Flux<String> takeAll() {
            return Flux.just("taken");
        }

        @Lock("stock")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Mono<String> takeOnItsOwn() {
            return Mono.just("taken");
        }
    }

    static class Outer {
        private final Inner inner;

        Outer(Inner inner) {
            this.inner = inner;
        }

        @Transactional
        public Mono<String> inTransaction() {
            return inner.take();
        }

        @Transactional
        public Flux<String> fluxInTransaction() {
            return inner.takeAll();
        }

        @Transactional
        public Mono<String> withATransactionOfItsOwn() {
            return inner.takeOnItsOwn();
        }

        @Lock("stock")
        @Transactional
        public Mono<String> lockedAround() {
            return inner.take();
        }
    }

    @BeforeEach
    void start() {
        beans = new LockedBeans(InMemoryLeasehold.create(ManualClock.create()), Application.class);
        inner = beans.get(Inner.class);
        outer = beans.get(Outer.class);
    }

    @AfterEach
    void stop() throws InterruptedException {
        beans.close();
    }

    private Queue<String> noted() {
        return beans.get(Transactions.class).noted;
    }

    @Test
    void aCallInAnOpenTransactionIsRefusedHoweverThatWasOpened() {
        TransactionalOperator operator = TransactionalOperator.create(beans.get(ReactiveTransactionManager.class));
        List<Publisher<String>> calls = List.of(
                outer.inTransaction(),
                outer.fluxInTransaction(),
                operator.transactional(inner.take()),
                operator.transactional(inner.takeAll()),
                operator.execute(status -> inner.take()),
                Mono.just("x").flatMap(x -> inner.take()).as(operator::transactional),
                inner.take().map(Function.identity()).as(operator::transactional));
        for (Publisher<String> call : calls) {
            assertThatThrownBy(() -> Flux.from(call).collectList().block(LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("its caller has a transaction open")
                    .hasMessageContaining("REQUIRES_NEW");
        }
        assertThat(noted())
                .hasSize(2 * calls.size())
                .allMatch(what -> what.equals("begin without a lock") || what.equals("rollback without a lock"));
    }

    @Test
    void aLockAroundTheTransactionOutlivesItAndIsJoinedInside() {
        assertThat(outer.lockedAround().block(LONG)).isEqualTo("taken");
        assertThat(noted()).containsExactly("begin under the lock", "commit under the lock");
        assertThat(inner.take().block(LONG)).isEqualTo("taken");
    }

    @Test
    void aTransactionOfItsOwnIsCommittedUnderTheLock() {
        assertThat(outer.withATransactionOfItsOwn().block(LONG)).isEqualTo("taken");
        assertThat(noted())
                .containsExactly(
                        "begin without a lock",
                        "begin under the lock",
                        "commit under the lock",
                        "commit without a lock");
    }
}
