package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.MultiLease;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.ReactiveCurrentLease;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Methods that run under several locks, all or none, on a real server. */
@WithRedis
class LockNamesIT {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final EmbeddedRedis redis;
    private final Set<String> renewed = ConcurrentHashMap.newKeySet();
    private LockedBeans beans;
    private Leasehold other;
    private Bank bank;
    /** The state is outside of the bean, as a proxy does not have its fields. */
    private Bank state;

    LockNamesIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Configuration
    @EnableLocks
    static class Locks {
        @Bean(destroyMethod = "shutdownNow")
        ExecutorService pool() {
            return Executors.newSingleThreadExecutor(task -> new Thread(task, "pool-of-the-test"));
        }

        @Bean
        Bank bank() {
            return new Bank();
        }

        @Bean
        Office office(Bank bank) {
            return new Office(bank);
        }
    }

    static class Bank {
        final AtomicInteger transfers = new AtomicInteger();
        volatile CompletableFuture<Boolean> mayEnd = new CompletableFuture<>();

        @Lock(names = {"account:#{#from}", "account:#{#to}"})
        public boolean transfer(String from, String to, MultiLease lease) {
            transfers.incrementAndGet();
            return CurrentLease.get() == lease && lease.fencingToken("account:" + from) > 0;
        }

        @Lock(names = {"account:#{#from}", "account:#{#to}"})
        public boolean fails(String from, String to) {
            throw new IllegalArgumentException("the method's own");
        }

        @Lock(
                names = {"account:#{#from}", "account:#{#to}"},
                onBusy = Lock.OnBusy.FALLBACK,
                fallback = "busyWith")
        public String orElse(String from, MultiLease lease, String to) {
            return "ran";
        }

        private String busyWith(String from, String to, LockNotAcquiredException busy) {
            return from + ", " + to + ": " + busy.lockName();
        }

        @Lock(
                names = {"account:#{#from}", "account:#{#to}"},
                leaseTime = "4s",
                renewalRatio = 0.1,
                executor = "pool")
        public String inPool(String from, String to, Lease lease) throws Exception {
            mayEnd.get(20, TimeUnit.SECONDS);
            return Thread.currentThread().getName() + ": " + lease.name();
        }

        @Lock(names = {"account:#{#from}", "account:#{#to}"})
        public CompletableFuture<Boolean> stage(String from, String to) {
            return mayEnd;
        }

        @Lock(names = {"account:#{#from}", "account:#{#to}"})
        public Mono<String> mono(String from, String to) {
            return ReactiveCurrentLease.get().map(Lease::name);
        }

        @Lock(
                names = {"account:#{#from}", "account:#{#to}"},
                renewalRatio = 0.02)
        public void untilLost(String from, String to, Lease lease) {
            transfers.incrementAndGet();
            await().atMost(LONG).until(() -> !lease.isHeld());
        }

        @Lock("account:#{#id}")
        public String read(String id) {
            return CurrentLease.get().name();
        }
    }

    /** Calls the bank under locks of its own. */
    static class Office {
        private final Bank bank;

        Office(Bank bank) {
            this.bank = bank;
        }

        @Lock(names = {"account:#{#a}", "account:#{#b}", "office"})
        public String underAll(String a, String b) {
            assertThat(bank.transfer(b, a, null)).isTrue();
            return bank.read(a);
        }

        @Lock("account:#{#a}")
        public void underOne(String a, String b) {
            bank.transfer(a, b, null);
        }
    }

    @BeforeEach
    void start() {
        Leasehold leasehold = Leasehold.builder()
                .uri(redis.uri())
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewed.add(event.lockName());
                    }
                })
                .build();
        beans = new LockedBeans(leasehold, Locks.class);
        bank = beans.get(Bank.class);
        state = (Bank) AopProxyUtils.getSingletonTarget(bank);
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void stop() throws InterruptedException {
        beans.close();
        other.close();
    }

    private boolean isFree(String account) {
        return other.lock("account:" + account).inspect().isEmpty();
    }

    @Test
    void aMethodRunsUnderAllItsLocksAndReleasesAllOfThem() {
        assertThat(bank.transfer("a", "b", null)).isTrue();
        assertThat(isFree("a")).isTrue();
        assertThat(isFree("b")).isTrue();
        assertThatThrownBy(() -> bank.fails("a", "b")).hasMessage("the method's own");
        assertThat(isFree("a")).isTrue();
        assertThat(isFree("b")).isTrue();
        assertThat(bank.mono("a", "b").block(LONG)).isEqualTo("account:a, account:b");
    }

    @Test
    void ifOneLockIsBusyNoneIsHeldAndTheMethodIsNotCalled() throws Exception {
        for (String busy : new String[] {"a", "b"}) {
            try (Lease held = other.lock("account:" + busy).acquire()) {
                assertThatThrownBy(() -> bank.transfer("a", "b", null))
                        .isInstanceOfSatisfying(
                                LockNotAcquiredException.class,
                                e -> assertThat(e.lockName()).isEqualTo("account:" + busy));
                assertThat(isFree(busy.equals("a") ? "b" : "a")).isTrue();
                assertThat(bank.orElse("a", null, "b")).isEqualTo("a, b: account:" + busy);
                held.ensureHeld();
            }
        }
        assertThat(state.transfers).hasValue(0);
        assertThat(bank.orElse("a", null, "b")).isEqualTo("ran");
    }

    @Test
    void allLocksAreRenewedWhileTheMethodRunsInItsPool() throws Exception {
        CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> {
            try {
                return bank.inPool("a", "b", null);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        await().atMost(LONG).until(() -> renewed.containsAll(Set.of("account:a", "account:b")));
        assertThat(other.lock("account:a").tryAcquire()).isEmpty();
        assertThat(other.lock("account:b").tryAcquire()).isEmpty();
        state.mayEnd.complete(true);
        assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("pool-of-the-test: account:a, account:b");
        assertThat(isFree("a")).isTrue();
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void aStageHoldsAllLocksUntilItCompletes() {
        CompletableFuture<Boolean> stage = bank.stage("a", "b");
        assertThat(isFree("a")).isFalse();
        assertThat(isFree("b")).isFalse();
        state.mayEnd.complete(true);
        assertThat(stage.join()).isTrue();
        assertThat(isFree("a")).isTrue();
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void theLossOfOneLockIsReportedAndTheOthersAreReleased() {
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> bank.untilLost("a", "b", null));
        await().atMost(LONG).until(() -> state.transfers.get() == 1);
        assertThat(other.lock("account:b").forceRelease()).isTrue();
        assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LeaseLostException.class)
                .hasMessageContaining("account:b");
        assertThat(isFree("a")).isTrue();
    }

    @Test
    void aCallInsideJoinsIfTheOuterCallHoldsAllItsLocksAndIsRefusedIfItHoldsSome() {
        Office office = beans.get(Office.class);
        assertThat(office.underAll("a", "b")).isEqualTo("account:a, account:b, office");
        assertThat(state.transfers).hasValue(1);
        assertThatThrownBy(() -> office.underOne("a", "b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Bank.transfer(String, String, MultiLease) would acquire locks 'account:a',"
                        + " 'account:b' inside of Office.underOne(String, String), which holds some of them");
        assertThat(isFree("a")).isTrue();
        assertThat(isFree("b")).isTrue();
    }

    @Test
    void namesThatAreTheSameForACallAreRefusedWithoutShowingTheArguments() {
        assertThatThrownBy(() -> bank.transfer("secret", "secret", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'account:#{#from}' and 'account:#{#to}' are the same name")
                .hasMessageNotContaining("secret");
        assertThat(state.transfers).hasValue(0);
        assertThat(isFree("secret")).isTrue();
    }
}
