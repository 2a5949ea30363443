package dev.leasehold.examples.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two instances of the application over one Redis pay orders, each order one at a time. */
@Tag("full")
@WithRedis
class PaymentsIT {

    private static final int PAYMENTS = 40;

    private final EmbeddedRedis redis;

    PaymentsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    /** Counts the payments of an order that overlap; the thread yields so that they would. */
    private static final class CountingBank implements Bank {
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger overlaps = new AtomicInteger();
        final AtomicInteger payments = new AtomicInteger();

        @Override
        public void transfer(Order order, long token) {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            // Few: on a busy machine each takes milliseconds, and the others wait for at most 5 s.
            for (int i = 0; i < 10; i++) {
                Thread.yield();
            }
            inside.decrementAndGet();
            payments.incrementAndGet();
        }
    }

    private EmbeddedServer start(Bank bank) {
        ApplicationContext context = ApplicationContext.builder(Map.<String, Object>of(
                        "redis.uri", redis.uri(), "micronaut.server.port", -1, "endpoints.all.sensitive", false))
                .singletons(bank)
                .start();
        return context.getBean(EmbeddedServer.class).start();
    }

    @Test
    void ordersArePaidOneAtATimeByTwoInstances() {
        CountingBank bank = new CountingBank();
        HttpClient http = HttpClient.newHttpClient();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        try (EmbeddedServer one = start(bank);
                EmbeddedServer two = start(bank)) {
            for (int i = 0; i < PAYMENTS; i++) {
                URI order = (i % 2 == 0 ? one : two).getURI().resolve("/orders/7/payment");
                HttpRequest request = HttpRequest.newBuilder(order)
                        .POST(BodyPublishers.noBody())
                        .build();
                answers.add(http.sendAsync(request, BodyHandlers.ofString()));
            }
            List<String> tokens =
                    answers.stream().map(answer -> answer.join().body()).toList();
            assertThat(tokens).doesNotHaveDuplicates().allMatch(token -> token.matches("\\d+"));
            assertThat(bank.payments).hasValue(PAYMENTS);
            assertThat(bank.overlaps).hasValue(0);
        }
    }
}
