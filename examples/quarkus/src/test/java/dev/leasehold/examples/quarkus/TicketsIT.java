package dev.leasehold.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@WithRedis
class TicketsIT {

    private static final int TICKETS = 100;

    @Tag("long")
    @Test
    void twoProcessesSellNoTicketTwice(EmbeddedRedis redis) throws Exception {
        try (TicketProcess one = TicketProcess.start(redis.uri());
                TicketProcess other = TicketProcess.start(redis.uri())) {
            List<CompletableFuture<Long>> sales = new ArrayList<>();
            for (int i = 0; i < TICKETS; i += 4) {
                for (TicketProcess process : List.of(one, other)) {
                    sales.add(process.post("/concerts/requiem/tickets"));
                    sales.add(process.post("/concerts/requiem/reactive-tickets"));
                }
            }
            assertThat(sales.stream().map(CompletableFuture::join))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, TICKETS).boxed().toList());
            assertThat(one.get("/q/health/ready")).contains("\"Leasehold\"", "UP");
        }
    }
}
