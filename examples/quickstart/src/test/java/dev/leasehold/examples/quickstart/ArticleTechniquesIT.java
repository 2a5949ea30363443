package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.event.BusyEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedis;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every technique of {@code docs/explanation/articles.md} works on a real server as documented. */
@WithRedis
class ArticleTechniquesIT {

    private final EmbeddedRedis redis;
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final ArticleTechniques articles = new ArticleTechniques((what, token) -> done.add(what));
    private final AtomicInteger tries = new AtomicInteger();
    private Leasehold leasehold;

    ArticleTechniquesIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void connect() {
        RedirectingProvider.leadTo(redis.uri());
        leasehold = Leasehold.builder()
                .uri("redis://localhost:6379")
                .listener(new LeaseholdListener() {
                    @Override
                    public void busy(BusyEvent event) {
                        tries.addAndGet(event.tries());
                    }
                })
                .build();
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void aLockIsSetIfAbsentAndAlwaysWithAnExpiry() {
        try (Lease lease = articles.setIfAbsent(leasehold).orElseThrow()) {
            assertThat(articles.setIfAbsent(leasehold)).isEmpty();
            assertThat((Long) redis.command("PTTL", "leasehold:{lottery}")).isPositive();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aPlainLockIsTheArticlesString() {
        try (Lease lease = articles.plainSet(leasehold).orElseThrow()) {
            assertThat(redis.command("TYPE", "lottery")).isEqualTo("string");
            // Its end is rounded up to a whole millisecond.
            assertThat((Long) redis.command("PTTL", "lottery")).isBetween(20_000L, 30_001L);
            assertThat(redis.command("SET", "lottery", "theirs", "NX", "PX", "1000"))
                    .isNull();
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(redis.command("EXISTS", "lottery")).isEqualTo(0L);
    }

    /** One article counts before it tries, and so tries once less than configured. */
    @Test
    void pollingTriesAsOftenAsConfigured() throws Exception {
        articles.polling(leasehold);
        try (Lease other = leasehold.lock("lottery").acquire()) {
            articles.polling(leasehold);
            assertThat(other.isHeld()).isTrue();
        }
        assertThat(done).containsExactly("drawn", "asked five times");
        await().until(() -> tries.get() == 5);
    }

    @Test
    void aLateReleaseDeletesNoOtherHoldersLock() throws Exception {
        DistributedLock lottery = leasehold.lock("lottery");
        articles.compareAndDelete(lottery);
        assertThat(lottery.inspect()).isEmpty();
        Lease[] next = new Lease[1];
        ArticleTechniques late = new ArticleTechniques((what, token) -> {
            lottery.forceRelease();
            next[0] = lottery.tryAcquire().orElseThrow();
        });
        assertThatThrownBy(() -> late.compareAndDelete(lottery)).isInstanceOf(LeaseLostException.class);
        assertThat(lottery.inspect().orElseThrow().fencingToken()).isEqualTo(next[0].fencingToken());
        next[0].close();
    }

    /** A weight of nine tenths leaves 0.1 s for a renewal: too little for a busy machine. */
    @Test
    void aLeaseIsRenewedUpToItsLimitAndItsLossIsReported() throws Exception {
        ManualClock clock = ManualClock.create();
        InMemoryLeasehold simulated = InMemoryLeasehold.create(clock);
        Lease lease = articles.renewal(simulated);
        clock.advance(Duration.ofMillis(2_600)); // one renewal lasts until 1.9 s
        assertThat(lease.isHeld()).isTrue();
        clock.advance(Duration.ofMillis(400));
        assertThat(done).containsExactly("stop: EXPIRED");
        assertThat(lease.isHeld()).isFalse();
        assertThat(simulated.lock("report").tryAcquire()).isPresent();
    }

    @Test
    void aNamedValueIsVisibleInRedisAndLocally() throws Exception {
        articles.namedValue(leasehold);
        assertThat(done).containsExactly("true true");
        assertThat(leasehold.lock("stock:17").ownedBy("order-4711").isHeld()).isFalse();
    }

    @Test
    void aHolderAfterTheDrawDoesNotDrawAgain() throws Exception {
        Map<String, Long> drawn = new ConcurrentHashMap<>();
        AtomicInteger draws = new AtomicInteger();
        ArticleTechniques.Draws table = new ArticleTechniques.Draws() {
            @Override
            public boolean areDrawn(String day, long token) {
                return drawn.containsKey(day);
            }

            @Override
            public void draw(String day, long token) throws SQLException {
                draws.incrementAndGet();
                drawn.put(day, token);
            }
        };
        articles.lottery(leasehold, table);
        articles.lottery(leasehold, table);
        assertThat(draws).hasValue(1);
    }
}
