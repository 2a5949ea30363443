package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Durability;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.Renewal;
import dev.leasehold.TlsOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.quorum.QuorumBuilder;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An argument that is null is refused with a name, and not by chance somewhere within. */
class NullArgumentsTest {

    private final InMemoryLeasehold leasehold = InMemoryLeasehold.create(ManualClock.create());
    private final Lease lease = leasehold.lock("held").tryAcquire().orElseThrow();

    /** Arguments that are not null, by their types. */
    private final Map<Class<?>, Object> samples = new HashMap<>(Map.of(
            String.class,
            "a",
            String[].class,
            new String[] {"a"},
            Duration.class,
            Duration.ofSeconds(1),
            TimeUnit.class,
            TimeUnit.SECONDS,
            LockOptions.class,
            LockOptions.defaults(),
            LockFormat.class,
            LockFormat.leasehold(),
            Consumer.class,
            (Consumer<Object>) each -> {},
            Collection.class,
            List.of("a"),
            int.class,
            1,
            long.class,
            1L));

    NullArgumentsTest() {
        samples.put(boolean.class, false);
        samples.put(Acquirable.Task.class, (Acquirable.Task<Lease, RuntimeException>) each -> {});
        samples.put(Acquirable.Call.class, (Acquirable.Call<Lease, String, RuntimeException>) Lease::name);
        samples.put(Function.class, (Function<Lease, CompletionStage<String>>)
                each -> CompletableFuture.completedFuture(each.name()));
        samples.put(Lease.class, lease);
        samples.put(LeaseholdListener.class, new LeaseholdListener() {});
        samples.put(TlsOptions.class, TlsOptions.defaults());
        samples.put(LeaseholdBuilder.Preflight.class, LeaseholdBuilder.Preflight.WARN);
        samples.put(LeaderListener.class, new LeaderListener() {
            @Override
            public void onElected(Term term) {}

            @Override
            public void onDemoted(Term term, DemotionReason reason) {}
        });
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void theApiNamesWhatIsNull() {
        Map<Class<?>, Object> targets = new HashMap<>(Map.of(
                Leasehold.class, leasehold,
                DistributedLock.class, leasehold.lock("a"),
                DistributedReadWriteLock.class, leasehold.readWriteLock("a"),
                DistributedSemaphore.class, leasehold.semaphore("b", 2),
                MultiLock.class, leasehold.allOf("c", "d"),
                DistributedLatch.class, Latches.of(leasehold).latch("e"),
                LeaderElection.class, Elections.of(leasehold).election("f"),
                Lease.class, lease,
                Inspector.class, leasehold.inspector()));
        targets.put(Latches.class, Latches.of(leasehold));
        targets.put(Elections.class, Elections.of(leasehold));
        targets.put(LockOptions.Builder.class, LockOptions.builder());
        targets.put(LeaseholdBuilder.class, Leasehold.builder());
        targets.put(Durability.class, Durability.none());
        targets.put(WaitStrategy.class, WaitStrategy.woken());
        targets.put(Renewal.class, Renewal.whileHeld());
        targets.put(TlsOptions.class, TlsOptions.defaults());
        targets.put(QuorumBuilder.class, QuorumLeasehold.builder("redis://a", "redis://b", "redis://c"));
        List<String> unnamed = new ArrayList<>();
        targets.forEach((type, target) -> unnamed.addAll(unnamed(type, target)));
        assertThat(unnamed).isEmpty();
        assertThat(leasehold.inspector().locks())
                .as("nothing else was acquired")
                .extracting(LockInfo::name)
                .containsExactly(lease.name());
    }

    private List<String> unnamed(Class<?> type, Object target) {
        List<String> unnamed = new ArrayList<>();
        for (Method method : type.getMethods()) {
            if (method.getName().equals("equals")) {
                continue;
            }
            for (int at = 0; at < method.getParameterCount(); at++) {
                boolean nullable = method.getAnnotatedParameterTypes()[at].isAnnotationPresent(Nullable.class);
                if (!nullable && !method.getParameterTypes()[at].isPrimitive()) {
                    Throwable thrown = call(target, method, at);
                    if (thrown == null || !isNamed(thrown)) {
                        unnamed.add(
                                type.getSimpleName() + "." + method.getName() + ", parameter " + at + ": " + thrown);
                    }
                }
            }
        }
        return unnamed;
    }

    /** The JVM's own messages, such as "Cannot invoke ... because ... is null", name what is within. */
    private static boolean isNamed(Throwable thrown) {
        String message = thrown.getMessage();
        return message != null && !message.contains(" because ") && !message.startsWith("Cannot ");
    }

    private @Nullable Throwable call(Object target, Method method, int nullAt) {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int n = 0; n < arguments.length; n++) {
            Class<?> type = method.getParameterTypes()[n];
            if (n != nullAt) {
                assertThat(samples).as(method.toString()).containsKey(type);
                arguments[n] = samples.get(type);
            }
        }
        try {
            Object unused = method.invoke(target, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
