package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Hazard 50: a lock that is free before the transaction is committed protects nothing. */
@WithRedis
class LockTransactionIT {

    private final EmbeddedRedis redis;
    private LockedBeans beans;
    private Leasehold other;
    private Counter counter;
    private JdbcTemplate database;
    private TransactionTemplate transaction;

    LockTransactionIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Configuration
    @EnableLocks
    @EnableTransactionManagement
    static class Application {
        @Bean(destroyMethod = "dispose")
        JdbcConnectionPool database() {
            return JdbcConnectionPool.create("jdbc:h2:mem:counter;DB_CLOSE_DELAY=-1", "sa", "");
        }

        @Bean
        PlatformTransactionManager transactions(DataSource database) {
            return new DataSourceTransactionManager(database);
        }

        @Bean
        JdbcTemplate jdbc(DataSource database) {
            return new JdbcTemplate(database);
        }

        @Bean
        Counter counter(JdbcTemplate jdbc) {
            return new Counter(jdbc);
        }
    }

    static class Counter {
        private final JdbcTemplate jdbc;
        private final AtomicInteger noted = new AtomicInteger();
        private final Queue<String> heard = new ConcurrentLinkedQueue<>();

        Counter(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        public int noted() {
            return noted.get();
        }

        public Queue<String> heard() {
            return heard;
        }

        private int read() {
            return jdbc.queryForObject("SELECT n FROM counter", Integer.class);
        }

        private void readAndWrite() {
            jdbc.update("UPDATE counter SET n = ?", read() + 1);
        }

        @Lock(name = "counter", waitTime = Lock.FOREVER)
        @Transactional
        public void increment() {
            assertThat(TransactionSynchronizationManager.isActualTransactionActive())
                    .isTrue();
            readAndWrite();
        }

        @Lock(name = "counter", waitTime = Lock.FOREVER)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void incrementOnItsOwn() {
            readAndWrite();
        }

        @Lock(name = "counter", waitTime = Lock.FOREVER, release = Lock.Release.AFTER_TRANSACTION)
        public void incrementWithCaller() {
            readAndWrite();
        }

        @Lock(name = "counter", waitTime = Lock.FOREVER)
        public void note() {
            noted.incrementAndGet();
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        @Lock(name = "counter", waitTime = Lock.FOREVER)
        public void committed(String event) {
            heard.add("committed " + event);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        @Lock(name = "counter", waitTime = Lock.FOREVER, release = Lock.Release.AFTER_TRANSACTION)
        public void rolledBack(String event) {
            heard.add("rolled back " + event);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        @Lock(name = "counter", waitTime = Lock.FOREVER)
        public void completed(String event) {
            heard.add("completed " + event);
        }

        @Lock(name = "counter", leaseTime = "500ms", maxRenewals = 0, release = Lock.Release.AFTER_TRANSACTION)
        public void incrementForShort() {
            readAndWrite();
        }
    }

    @BeforeEach
    void start() {
        beans = new LockedBeans(Leasehold.connect(redis.uri()), Application.class);
        counter = beans.get(Counter.class);
        database = beans.get(JdbcTemplate.class);
        transaction = new TransactionTemplate(beans.get(PlatformTransactionManager.class));
        database.execute("DROP TABLE IF EXISTS counter");
        database.execute("CREATE TABLE counter (n INTEGER)");
        database.update("INSERT INTO counter VALUES (0)");
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void stop() throws InterruptedException {
        beans.close();
        other.close();
    }

    private int count() {
        return database.queryForObject("SELECT n FROM counter", Integer.class);
    }

    private boolean isFree() {
        return other.lock("counter").inspect().isEmpty();
    }

    @Test
    void twoThreadsLoseNoIncrement() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Runnable half = () -> {
                for (int i = 0; i < 250; i++) {
                    counter.increment();
                }
            };
            for (Future<?> one : List.of(threads.submit(half), threads.submit(half))) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(count()).isEqualTo(500);
    }

    @Test
    void aCallInAnOpenTransactionIsRefused() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> counter.increment()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("its caller has a transaction open");
        transaction.executeWithoutResult(status -> counter.incrementOnItsOwn());
        assertThat(count()).isEqualTo(1);
        assertThat(isFree()).isTrue();
    }

    @Test
    void onceCompletionHasBegunTheTransactionIsOver() {
        transaction.executeWithoutResult(status -> beans.publish("x"));
        assertThat(counter.heard()).containsExactlyInAnyOrder("committed x", "completed x");
        transaction.executeWithoutResult(status -> {
            beans.publish("y");
            status.setRollbackOnly();
        });
        assertThat(counter.heard()).contains("rolled back y", "completed y").hasSize(4);
        assertThat(isFree()).isTrue();
    }

    @Test
    void afterCommitItIsOverAndBeforeIsNot() {
        List<Boolean> free = new ArrayList<>();
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        assertThatThrownBy(counter::note).hasMessageContaining("has a transaction open");
                    }

                    @Override
                    public void afterCommit() {
                        counter.note();
                        counter.incrementWithCaller();
                        free.add(isFree());
                        // Another transaction within the callback is open as any other.
                        transaction.setPropagationBehavior(Propagation.REQUIRES_NEW.value());
                        transaction.executeWithoutResult(inner -> {
                            assertThatThrownBy(counter::note).hasMessageContaining("has a transaction open");
                        });
                        counter.note();
                    }

                    @Override
                    public void afterCompletion(int status) {
                        counter.note();
                    }
                }));
        assertThat(counter.noted()).isEqualTo(3);
        assertThat(free).containsExactly(true);
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> counter.note()))
                .hasMessageContaining("has a transaction open");
    }

    @Test
    void theLockIsHeldUntilTheCallersTransactionHasEnded() {
        transaction.executeWithoutResult(status -> {
            counter.incrementWithCaller();
            counter.incrementWithCaller();
            assertThat(isFree()).isFalse();
        });
        assertThat(isFree()).isTrue();
        assertThat(count()).isEqualTo(2);
        transaction.executeWithoutResult(status -> {
            counter.incrementWithCaller();
            status.setRollbackOnly();
        });
        assertThat(isFree()).isTrue();
        assertThat(count()).isEqualTo(2);
        counter.incrementWithCaller();
        assertThat(isFree()).isTrue();
        assertThat(CurrentLease.find()).isEmpty();
    }

    @Test
    void aTransactionWhoseLeaseIsLostIsNotCommitted() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    counter.incrementForShort();
                    Lease lease = CurrentLease.get();
                    await().atMost(Duration.ofSeconds(20)).until(() -> !lease.isHeld());
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(count()).isZero();
        assertThat(CurrentLease.find()).isEmpty();
    }
}
