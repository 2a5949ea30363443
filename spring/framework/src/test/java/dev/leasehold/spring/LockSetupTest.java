package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.MultiLease;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockGate;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.ResourceTransactionManager;

/** Invalid uses fail at startup, with the reason and the remedy. */
class LockSetupTest {

    @Configuration
    @EnableLocks
    static class Locks {
        @Bean
        Leasehold leasehold() {
            return InMemoryLeasehold.create(ManualClock.create());
        }
    }

    private static LockSetupException refusal(Class<?>... configuration) {
        return catchThrowableOfType(
                LockSetupException.class, () -> start(configuration).close());
    }

    private static AnnotationConfigApplicationContext start(Class<?>... configuration) {
        return new AnnotationConfigApplicationContext(configuration);
    }

    static class Hidden {
        @Lock("a")
        private void secret() {}

        @Lock("a")
        public final void closed() {}

        @Lock("a")
        static void alone() {}

        void useIt() {
            secret();
        }
    }

    @Test
    void privateFinalAndStaticMethodsAreReportedTogether() {
        assertThat(refusal(Locks.class, Hidden.class).problems())
                .hasSize(4)
                .anyMatch(problem -> problem.startsWith("Hidden.secret() is private"))
                .anyMatch(problem -> problem.startsWith("Hidden.closed() is final"))
                .anyMatch(problem -> problem.startsWith("Hidden.alone() is static"))
                .anyMatch(problem -> problem.startsWith("Hidden.useIt calls secret by 'this'"));
    }

    static class CallsItself {
        private CallsItself other;

        @Lock("a")
        public void locked(String name, long number) {}

        @Lock("b")
        public String result() {
            return "";
        }

        public void direct(String name) {
            locked(name.trim(), 5L);
        }

        public Runnable inLambda() {
            return () -> locked("x", 1);
        }

        public java.util.function.Supplier<String> byReference() {
            return this::result;
        }
    }

    /** None of these calls certainly bypasses the proxy. */
    static class CallsTheBean {
        private CallsTheBean self;

        @Lock("a")
        public void locked(String name) {}

        @Lock("a")
        public void underTheSameLock() {
            locked("inside");
        }

        public void throughTheBean(CallsTheBean parameter, boolean which) {
            self.locked("x");
            parameter.locked("y");
            (which ? self : this).locked("z");
        }
    }

    @Test
    void callsByThisAreReported() {
        assertThat(refusal(Locks.class, CallsItself.class).problems())
                .hasSize(3)
                .anyMatch(problem -> problem.startsWith("CallsItself.direct calls locked by 'this'"))
                .anyMatch(problem -> problem.startsWith("CallsItself.inLambda calls locked by 'this'"))
                .anyMatch(problem -> problem.startsWith("CallsItself.byReference calls result by 'this'"));
        start(Locks.class, CallsTheBean.class).close();
    }

    /** The compiler gives each a second method with the erased, wider or public signature, which calls the first. */
    interface Converts<A, B> {
        B convert(A from);
    }

    abstract static class Base<T> {
        public abstract Number narrowed();

        public abstract void take(T what);
    }

    static class Visible {
        static class Inherited extends HiddenBase {}

        static class HiddenBase {
            @Lock("a")
            public void inherited() {}
        }
    }

    static class Bridged extends Base<String>
            implements Supplier<String>, Callable<Integer>, Comparable<Bridged>, Converts<String, Integer> {
        @Override
        @Lock("a")
        public String get() {
            return "";
        }

        @Override
        @Lock("a")
        public Integer call() {
            return 1;
        }

        @Override
        @Lock("a")
        public int compareTo(Bridged other) {
            return 0;
        }

        @Override
        @Lock("a")
        public Integer convert(String from) {
            return 1;
        }

        @Override
        @Lock("a")
        public Integer narrowed() {
            return 1;
        }

        @Override
        @Lock("a")
        public void take(String what) {}
    }

    @Configuration
    @EnableLocks(proxyTargetClass = true)
    static class LocksOfClasses {
        @Bean
        Leasehold leasehold() {
            return InMemoryLeasehold.create(ManualClock.create());
        }
    }

    static class BridgedOfInterfaces implements Supplier<String>, Converts<String, Integer> {
        @Override
        @Lock("a")
        public String get() {
            return CurrentLease.get().name();
        }

        @Override
        @Lock("b")
        public Integer convert(String from) {
            return CurrentLease.get().name().length();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void bridgesAreNoCalls() {
        start(LocksOfClasses.class, Bridged.class, Visible.Inherited.class).close();
        for (Class<?> locks : List.of(Locks.class, LocksOfClasses.class)) {
            try (AnnotationConfigApplicationContext context = start(locks, BridgedOfInterfaces.class)) {
                assertThat(context.getBean(Supplier.class).get()).isEqualTo("a");
                assertThat(context.getBean(Converts.class).convert("x")).isEqualTo(1);
            }
        }
    }

    abstract static class CallsWhatItDoesNotKnow<T> {
        public abstract void work(T what);

        public void workTwice(T what) {
            work(what);
        }
    }

    interface HasDefault {
        void inside();

        default void ofInterface() {
            inside();
        }

        default void overridden() {
            inside();
        }
    }

    static class CallsByOtherWays extends CallsWhatItDoesNotKnow<String> implements HasDefault {
        @Override
        @Lock("a")
        public void work(String what) {}

        @Override
        @Lock("b")
        public void inside() {}

        @Override
        public void overridden() {}

        public Runnable anonymous() {
            return new Runnable() {
                @Override
                public void run() {
                    inside();
                }
            };
        }

        class Inner {
            Runnable deep() {
                return () -> work("x");
            }

            void ofItsOwn() {
                inside();
            }

            void inside() {}
        }
    }

    @Test
    void callsFromInnerClassesDefaultMethodsAndGenericSuperclassesAreReported() {
        assertThat(refusal(LocksOfClasses.class, CallsByOtherWays.class).problems())
                .hasSize(4)
                .anyMatch(problem -> problem.startsWith("CallsByOtherWays.workTwice calls work by 'this'"))
                .anyMatch(problem -> problem.startsWith("CallsByOtherWays.ofInterface calls inside by 'this'"))
                .anyMatch(problem -> problem.startsWith("CallsByOtherWays$1.run calls inside by 'this'"))
                .anyMatch(problem -> problem.startsWith("CallsByOtherWays$Inner.deep calls work by 'this'"));
    }

    static class Caches {
        @Bean
        CacheManager caches() {
            return new ConcurrentMapCacheManager();
        }
    }

    @Configuration
    @EnableCaching(order = Ordered.HIGHEST_PRECEDENCE)
    static class CacheOutside extends Caches {}

    @Configuration
    @EnableCaching
    static class CacheInside extends Caches {}

    static class Prices {
        @Cacheable("prices")
        @Lock("price")
        public String of(String name) {
            return name + " " + CurrentLease.find().isPresent();
        }
    }

    @Test
    void aCachedValueNeedsNoLockIfTheCacheIsOutside() {
        for (boolean outside : List.of(true, false)) {
            try (AnnotationConfigApplicationContext context =
                    start(Locks.class, outside ? CacheOutside.class : CacheInside.class, Prices.class)) {
                Prices prices = context.getBean(Prices.class);
                assertThat(prices.of("tea")).isEqualTo("tea true");
                Lease held = context.getBean(Leasehold.class)
                        .lock("price")
                        .tryAcquire()
                        .orElseThrow();
                if (outside) {
                    assertThat(prices.of("tea")).isEqualTo("tea true");
                } else {
                    assertThatThrownBy(() -> prices.of("tea")).isInstanceOf(LockNotAcquiredException.class);
                }
                held.close();
            }
        }
    }

    static class Wrong {
        @Lock("")
        public void nameless() {}

        @Lock("x:#{#missing}")
        public void unknown(String there) {}

        @Lock(name = "x", waitTime = "5")
        public void withoutUnit() {}

        @Lock(name = "x", leaseTime = "1ms")
        public void tooShort() {}

        @Lock(name = "x", kind = Lock.Kind.SEMAPHORE)
        public void withoutPermits() {}

        @Lock(name = "x", permits = 3)
        public void noSemaphore() {}

        @Lock(name = "x", kind = Lock.Kind.READ, owner = "me")
        public void reader() {}

        @Lock(name = "x", onBusy = Lock.OnBusy.SKIP)
        public int primitive() {
            return 1;
        }

        @Lock(name = "x", onBusy = Lock.OnBusy.FALLBACK, fallback = "nobody")
        public void noFallback() {}

        @Lock(name = "x", fallback = "unknown")
        public void fallbackWithoutOnBusy() {}

        @Lock(name = "x", executor = "nowhere")
        public void noPool() {}

        @Lock(name = "x", executor = "nowhere")
        public CompletableFuture<String> stageInPool() {
            return new CompletableFuture<>();
        }

        @Lock(name = "x", kind = Lock.Kind.READ, minHold = "1s")
        public void keptReader() {}

        @Lock(name = "x", minHold = "31s")
        public void keptForLongerThanItsLease() {}

        @Lock("x")
        public Future<String> future() {
            return new CompletableFuture<>();
        }
    }

    @Test
    void everyAttributeIsChecked() {
        assertThat(refusal(Locks.class, Wrong.class).problems())
                .hasSize(15)
                .anyMatch(problem -> problem.contains("nameless() has no name"))
                .anyMatch(problem -> problem.contains("#missing is no parameter; there are #there"))
                .anyMatch(problem -> problem.contains("waitTime '5' is not a duration"))
                .anyMatch(problem -> problem.contains("lease time PT0.001S is too short"))
                .anyMatch(problem -> problem.contains("semaphore with 0 permits"))
                .anyMatch(problem -> problem.contains("noSemaphore() has permits"))
                .anyMatch(problem -> problem.contains("reader() has an owner"))
                .anyMatch(problem -> problem.contains("primitive() returns int"))
                .anyMatch(problem -> problem.contains("fallback 'nobody' does not exist"))
                .anyMatch(problem -> problem.contains("fallbackWithoutOnBusy() has onBusy = THROW"))
                .anyMatch(problem -> problem.contains("executor 'nowhere'"))
                .anyMatch(problem -> problem.contains("stageInPool() returns a CompletableFuture"))
                .anyMatch(problem -> problem.contains("keptReader() has minHold, which only a single"))
                .anyMatch(problem -> problem.contains("minimum hold PT31S exceeds the lease time PT30S"))
                .anyMatch(problem -> problem.contains("future() returns a Future"));
    }

    static class Reports {
        @Lock(name = "report", executor = "reports")
        public void write() {}
    }

    @Configuration
    @EnableLocks
    static class ReportsThatAreNoPool {
        @Bean
        Reports reports() {
            return new Reports();
        }

        @Bean
        Leasehold leasehold() {
            return InMemoryLeasehold.create(ManualClock.create());
        }
    }

    /** It was found at the first call: the bean with the name of the pool was the service itself. */
    @Test
    void anExecutorOfAnotherTypeIsReported() {
        assertThat(refusal(ReportsThatAreNoPool.class).problems())
                .singleElement()
                .asString()
                .contains("executor 'reports', but that bean is no java.util.concurrent.Executor", "Reports");
    }

    @Configuration
    static class Pools {
        @Bean
        @Lazy
        Object reports() {
            throw new IllegalStateException("was created");
        }
    }

    /** Its declaration does not say what it will be, and it is not created to find out. */
    @Test
    void aLazyBeanOfAnUnknownTypeMayBeAnExecutor() {
        start(Locks.class, Pools.class, Reports.class).close();
    }

    static class WrongNames {
        @Lock(
                name = "x",
                names = {"a", "b"})
        public void both() {}

        @Lock(names = "a")
        public void one() {}

        @Lock(names = {"a", ""})
        public void empty() {}

        @Lock(names = {"a:#{#p0}", "a:#{#p0}"})
        public void doubled(String id) {}

        @Lock(names = {"a", "b:#{#missing}"})
        public void unknown(String there) {}

        @Lock(
                names = {"a", "b"},
                kind = Lock.Kind.FAIR)
        public void fair() {}

        @Lock(
                names = {"a", "b"},
                owner = "me")
        public void owned() {}

        @Lock("x")
        public void single(MultiLease lease) {}

        @Lock("a")
        public void callsSeveral() {
            together();
        }

        @Lock(names = {"a", "b"})
        public void together() {
            alone();
        }

        @Lock("b")
        public void alone() {}
    }

    @Test
    void theNamesOfSeveralLocksAreChecked() {
        assertThat(refusal(Locks.class, WrongNames.class).problems())
                .hasSize(9)
                .anyMatch(problem -> problem.contains("both() has name and names"))
                .anyMatch(problem -> problem.contains("one() has one name in names"))
                .anyMatch(problem -> problem.contains("empty() has an empty name"))
                .anyMatch(problem -> problem.contains("doubled(String) has a name twice"))
                .anyMatch(problem -> problem.contains("#missing is no parameter"))
                .anyMatch(problem -> problem.contains("fair() has names and kind = FAIR"))
                .anyMatch(problem -> problem.contains("owned() has names and an owner"))
                .anyMatch(problem -> problem.contains("single(MultiLease) has a parameter of the type MultiLease"))
                .anyMatch(problem -> problem.startsWith("WrongNames.callsSeveral calls together by 'this'"));
    }

    static class Stock {
        @Lock("stock")
        @Transactional
        public void take() {}
    }

    @Configuration
    static class Manager {
        @Bean
        PlatformTransactionManager transactions() {
            return new NoTransactions();
        }
    }

    static class NoTransactions extends org.springframework.transaction.support.AbstractPlatformTransactionManager
            implements ResourceTransactionManager {
        @Override
        public Object getResourceFactory() {
            return this;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, org.springframework.transaction.TransactionDefinition definition) {}

        @Override
        protected void doCommit(org.springframework.transaction.support.DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(org.springframework.transaction.support.DefaultTransactionStatus status) {}
    }

    @Configuration
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutside extends Manager {}

    @Configuration
    @EnableTransactionManagement
    static class TransactionsByDefault extends Manager {}

    /** Hazard 50: with the order reversed the lock would be free before the transaction is committed. */
    @Test
    void aTransactionOutsideOfTheLockFailsAtStartup() {
        assertThatThrownBy(() -> start(Locks.class, TransactionsOutside.class, Stock.class))
                .isInstanceOf(LockSetupException.class)
                .hasMessageContaining("Stock.take() begins its transaction before it acquires the lock")
                .hasMessageContaining("release = AFTER_TRANSACTION");
    }

    @Test
    void theDefaultOrderStarts() {
        try (AnnotationConfigApplicationContext context =
                start(Locks.class, TransactionsByDefault.class, Stock.class)) {
            context.getBean(Stock.class).take();
        }
    }

    static class Deferred {
        @Lock(name = "stock", release = Lock.Release.AFTER_TRANSACTION)
        @Transactional
        public void take() {}
    }

    @Test
    void aTransactionOutsideStartsIfTheLockOutlivesIt() {
        try (AnnotationConfigApplicationContext context =
                start(Locks.class, TransactionsOutside.class, Deferred.class)) {
            context.getBean(Deferred.class).take();
        }
    }

    static class Elsewhere {
        @Lock("x")
        @Async
        public void run() {}
    }

    @Configuration
    @EnableLocks(order = Ordered.HIGHEST_PRECEDENCE)
    static class LocksFirst extends Locks {}

    @Configuration
    @EnableAsync
    static class AsyncByDefault {}

    /** Proxies created by hand can have the reverse order. */
    @Configuration
    static class AsyncInside {
        @Bean
        static BeanPostProcessor inside() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof org.springframework.aop.framework.Advised advised
                            && AopTypes.targetIs(bean, Elsewhere.class)) {
                        advised.addAdvisor(new org.springframework.scheduling.annotation.AsyncAnnotationAdvisor());
                    }
                    return bean;
                }
            };
        }
    }

    static final class AopTypes {
        static boolean targetIs(Object bean, Class<?> type) {
            return org.springframework.aop.support.AopUtils.getTargetClass(bean) == type;
        }
    }

    @Test
    void asyncIsOutsideByDefaultAndReportedInside() {
        start(LocksFirst.class, AsyncByDefault.class, Elsewhere.class).close();
        assertThat(refusal(Locks.class, AsyncInside.class, Elsewhere.class))
                .hasMessageContaining("is moved to another thread by @Async after it has acquired the lock");
    }

    @Configuration
    @EnableLocks
    static class NoClient {}

    @Test
    void anApplicationWithoutAClientDoesNotStart() {
        assertThat(refusal(NoClient.class, Stock.class)).hasMessageContaining("no bean of the type Leasehold");
        start(NoClient.class).close();
    }

    @Configuration
    static class TooEarly {
        @Bean
        static Stock stock() {
            return new Stock();
        }

        /** The first post-processor, created before the creator of proxies. */
        static final class Needing implements BeanPostProcessor, org.springframework.core.PriorityOrdered {
            Needing(BeanFactory beans) {
                beans.getBean(Stock.class);
            }

            @Override
            public int getOrder() {
                return Ordered.HIGHEST_PRECEDENCE;
            }
        }

        @Bean
        static Needing needing(BeanFactory beans) {
            return new Needing(beans);
        }
    }

    @Test
    void aBeanThatWasCreatedTooEarlyIsReported() {
        assertThat(refusal(Locks.class, TooEarly.class)).hasMessageContaining("Stock.take() has no proxy");
    }

    @Configuration
    static class Later {
        @Bean
        @Lazy
        Hidden lazy() {
            return new Hidden();
        }

        @Bean
        @Scope("prototype")
        Wrong prototype() {
            return new Wrong();
        }
    }

    @Test
    void beansThatAreCreatedLaterAreReportedAtStartup() {
        assertThat(refusal(Locks.class, Later.class).problems()).hasSize(19);
    }

    interface Shop {
        void open();
    }

    static class CornerShop implements Shop {
        @Override
        public void open() {}

        @Lock("x")
        public void close() {}
    }

    @Test
    void aMethodThatIsInNoInterfaceOfAProxyByInterfacesIsReported() {
        assertThat(refusal(Locks.class, CornerShop.class))
                .hasMessageContaining("CornerShop.close() is in no interface");
    }

    @Test
    void aShutGateRefusesNewCalls() {
        try (AnnotationConfigApplicationContext context = start(Locks.class, Stock.class)) {
            ObjectProvider<LockGate> gate = context.getBeanProvider(LockGate.class);
            gate.getObject().shut();
            assertThatThrownBy(() -> context.getBean(Stock.class).take())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("shutting down");
            gate.getObject().open();
            context.getBean(Stock.class).take();
        }
    }
}
