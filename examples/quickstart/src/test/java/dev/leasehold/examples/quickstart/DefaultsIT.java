package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of defaults in the handbook match what a server observes. */
@WithRedis
class DefaultsIT {

    @Test
    void aClientOpensAsManyConnectionsUnderItsNameAsTheTablesSay(EmbeddedRedis redis) throws Exception {
        RedirectingProvider.leadTo(redis.uri());
        try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379")) {
            long first = connections(redis);
            for (Handbook handbook : Handbook.values()) {
                assertThat(documented(handbook)).as(handbook.name()).containsExactly(String.valueOf(first));
            }
            try (Lease lease = leasehold.lock("x").acquire()) {
                await().until(() -> connections(redis) == first + 1); // opened by a timer, for news of this lease
                assertThat(lease.isHeld()).isTrue();
            }
        }
    }

    private static long connections(EmbeddedRedis redis) {
        return String.valueOf(redis.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" name=leasehold "))
                .count();
    }

    private static List<String> documented(Handbook handbook) {
        return handbook.rowsWithId().stream()
                .filter(row -> row.id().equals("connections"))
                .map(row -> Quantities.of(row.cells().get(1)))
                .findFirst()
                .orElseThrow();
    }
}
