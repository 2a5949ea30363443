package dev.leasehold.examples.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.EmbeddedRedis;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two processes sell under load; one is killed, and Redis restarts. {@code -Dleasehold.stock.seconds=60} for the long
 * load, which {@code examples/stock/load} runs.
 */
@Tag("long")
class StockLoadIT {

    private static final int ITEMS = 20;
    private static final int RATE = 200;
    private static final int SECONDS = Integer.getInteger("leasehold.stock.seconds", 10);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void nothingIsOversoldWhileAProcessIsKilledAndRedisRestartsWithItsData() throws Exception {
        sells(EmbeddedRedis::restart);
    }

    @Test
    void nothingIsOversoldWhileAProcessIsKilledAndRedisRestartsEmpty() throws Exception {
        sells(EmbeddedRedis::restartEmpty);
    }

    private static void sells(Consumer<EmbeddedRedis> restart) throws Exception {
        int orders = RATE * SECONDS;
        // The stock sells out towards the end, which shows both that no order is lost and that no piece is sold twice.
        int pieces = orders / ITEMS * 7 / 10;
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(3);
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (EmbeddedRedis redis = EmbeddedRedis.builder().appendOnly().start();
                Shop shop = new Shop(ITEMS, pieces);
                StockProcess victim = StockProcess.start("victim", shop.url(), redis, http);
                StockProcess survivor = StockProcess.start("survivor", shop.url(), redis, http)) {
            victim.awaitReady();
            survivor.awaitReady();
            Load load = new Load(victim, survivor, ITEMS);
            CompletableFuture<Void> done = load.run(timer, orders, TimeUnit.SECONDS.toNanos(1) / RATE);
            timer.schedule(
                    () -> {
                        await().atMost(LIMIT)
                                .until(() -> !shop.ordersOf(victim.name()).isEmpty());
                        load.killVictim();
                    },
                    SECONDS * 1000L / 3,
                    TimeUnit.MILLISECONDS);
            timer.schedule(redis::stop, SECONDS * 1000L * 55 / 100, TimeUnit.MILLISECONDS);
            CompletableFuture<Void> restarted = new CompletableFuture<>();
            timer.schedule(
                    () -> {
                        restart.accept(redis);
                        restarted.complete(null);
                    },
                    SECONDS * 1000L * 63 / 100,
                    TimeUnit.MILLISECONDS);

            done.get(SECONDS + 60, TimeUnit.SECONDS);
            restarted.get(30, TimeUnit.SECONDS);
            load.repeatWhatIsOpen();
            System.out.println(load + "; " + survivor.counters());

            assertThat(load.violations()).isEmpty();
            assertThat(load.answers()).hasSize(orders);
            assertThatStockAndOrdersAgree(shop, pieces);
            assertThat(shop.orders())
                    .isEqualTo(load.answers().values().stream()
                            .filter(Load.LastAnswer::isTaken)
                            .map(Load.LastAnswer::id)
                            .collect(Collectors.toSet()));
            assertThatTheSurvivorsCountersAreTrue(shop, survivor);
        } finally {
            timer.shutdownNow();
        }
    }

    private static void assertThatStockAndOrdersAgree(Shop shop, int pieces) throws Exception {
        Map<Integer, Integer> sold = shop.sold();
        Map<Integer, Integer> remaining = shop.remaining();
        assertThat(sold)
                .hasSize(ITEMS)
                .allSatisfy((item, number) -> assertThat(number)
                        .isPositive()
                        .isLessThanOrEqualTo(pieces)
                        .isEqualTo(pieces - remaining.get(item)));
    }

    private static void assertThatTheSurvivorsCountersAreTrue(Shop shop, StockProcess survivor) throws Exception {
        Set<String> rows = shop.ordersOf(survivor.name());
        assertThat(rows).isNotEmpty();
        assertThat(shop.orders()).as("the victim sold as well").hasSizeGreaterThan(rows.size());
        await().atMost(LIMIT).untilAsserted(() -> {
            Map<String, Long> counters = survivor.counters();
            assertThat(counters.get(Answer.SOLD.name())).isEqualTo(rows.size());
            assertThat(counters.get("acquired")).isEqualTo(counters.get("entered"));
            // A release without an answer is reported as unconfirmed, and also as a loss if the hold turns out to be
            // gone.
            long released = counters.get("released");
            assertThat(counters.get("acquired")).isBetween(released, released + counters.getOrDefault("lost", 0L));
        });
    }
}
