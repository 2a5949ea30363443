package dev.leasehold.examples.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.interop.Formats;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import dev.leasehold.spring.EnableLocks;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The examples of docs/migrating.md work as documented. */
@WithRedis
class MigratingIT {

    private final EmbeddedRedis redis;
    private final AtomicInteger runs = new AtomicInteger();
    private Leasehold leasehold;
    private Leasehold other;

    MigratingIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void connect() {
        leasehold = Leasehold.connect(redis.uri());
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void close() {
        leasehold.close();
        other.close();
    }

    private boolean free(String name) {
        return other.lock(name).inspect().isEmpty();
    }

    @Test
    void callsOfRedissonAreReplaced() throws Exception {
        Migrating.fromRedisson(leasehold, () -> {
            assertThat(free("order:17")).isFalse();
            runs.incrementAndGet();
        });
        assertThat(runs).hasValue(2);
        assertThat(free("order:17")).isTrue();
        try (Lease lease = Migrating.withoutRenewal(leasehold)) {
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
        }
    }

    @Test
    void namesOfAPatternHaveTheFormatOfRedisson() throws Exception {
        try (Leasehold shared = Migrating.inTheFormatOfRedisson(redis.uri());
                Lease order = shared.lock("order:17").acquire();
                Lease stock = shared.lock("stock:8").acquire();
                Lease account = shared.lock("account:4").acquire()) {
            assertThat(redis.command("HLEN", order.name())).isEqualTo(1L);
            assertThat(redis.command("HLEN", stock.name())).isEqualTo(1L);
            assertThat(redis.command("GET", "redisson_lock_token:{account:4}"))
                    .isEqualTo(Long.toString(account.fencingToken()));
        }
    }

    @Test
    void callsOfSpringIntegrationAreReplaced() throws Exception {
        assertThat(Migrating.fromSpringIntegration(leasehold, () -> "paid")).startsWith("paid under ");
        assertThat(free("orders:17")).isTrue();
    }

    /** A class that Spring proxies. */
    static class Watched extends Migrating.Stock {
        private final AtomicInteger taken = new AtomicInteger();

        @Override
        protected void note(String item, long token) {
            assertThat(token).isPositive();
            taken.incrementAndGet();
        }

        int taken() {
            return taken.get();
        }
    }

    @Configuration
    @EnableLocks
    static class Shop {
        @Bean
        Watched stock() {
            return new Watched();
        }
    }

    @Test
    void callsOfLock4jAreReplaced() throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(Leasehold.class, () -> leasehold);
            context.register(Shop.class);
            context.refresh();
            Watched stock = context.getBean(Watched.class);
            stock.take("4711");
            assertThat(stock.taken()).isEqualTo(1);
        }
        assertThat(Migrating.fromLockTemplate(other, runs::incrementAndGet)).isTrue();
    }

    @Test
    void underBothLocksNeitherOldNorNewInstancesAcquire() throws Exception {
        // The plain lock represents the lock of any former library.
        var theirs = leasehold.lock("former", Formats.plain());
        assertThat(Migrating.underBoth(theirs, leasehold.lock("order:17"), Duration.ofSeconds(5), () -> {
                    assertThat(other.lock("former", Formats.plain()).tryAcquire())
                            .isEmpty();
                    assertThat(other.lock("order:17").tryAcquire()).isEmpty();
                    return "done";
                }))
                .isEqualTo("done");
        try (Lease old = other.lock("former", Formats.plain()).acquire()) {
            assertThatThrownBy(() -> Migrating.underBoth(
                            theirs, leasehold.lock("order:17"), Duration.ofMillis(500), runs::incrementAndGet))
                    .isInstanceOf(TimeoutException.class);
        }
        try (Lease fresh = other.lock("order:17").acquire()) {
            assertThatThrownBy(() -> Migrating.underBoth(
                            theirs, leasehold.lock("order:17"), Duration.ofMillis(500), runs::incrementAndGet))
                    .isInstanceOf(LockNotAcquiredException.class);
        }
        assertThat(runs).hasValue(0);
        assertThat(other.lock("former", Formats.plain()).tryLock(1, TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void underBothProvidersNeitherOldNorNewInstancesRunTheJob() {
        LockProvider former =
                LeaseholdLockProvider.builder(other).namePrefix("former:").build();
        LockProvider ours = LeaseholdLockProvider.of(leasehold);
        LockProvider both = new BothProviders(former, ours);
        LockConfiguration job =
                new LockConfiguration(ClockProvider.now(), "report", Duration.ofMinutes(5), Duration.ZERO);

        SimpleLock held = both.lock(job).orElseThrow();
        assertThat(former.lock(job)).isEmpty();
        assertThat(ours.lock(job)).isEmpty();
        held.unlock();

        SimpleLock old = former.lock(job).orElseThrow();
        assertThat(both.lock(job)).isEmpty();
        old.unlock();
        SimpleLock fresh = ours.lock(job).orElseThrow();
        assertThat(both.lock(job)).isEmpty();
        assertThat(former.lock(job)).as("released, as the new lock was held").isPresent();
        fresh.unlock();
    }
}
