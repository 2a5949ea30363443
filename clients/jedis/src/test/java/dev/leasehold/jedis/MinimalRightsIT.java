package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.TlsOptions;
import dev.leasehold.inspect.Finding;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.TlsCertificates;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The rights in section 2 of {@code docs/operations.md} suffice over Jedis, too, and over TLS. */
class MinimalRightsIT {

    @Test
    void suffice() throws Exception {
        try (TlsCertificates certificates = TlsCertificates.create();
                EmbeddedRedis redis = EmbeddedRedis.builder().tls(certificates).start()) {
            DocumentedRights.grant(redis, DocumentedRights.ofLocks());
            try (Leasehold leasehold = Leasehold.builder()
                    .uri(DocumentedRights.uri(redis.uri()))
                    .tls(TlsOptions.trusting(certificates.caPem()))
                    .preflight(Preflight.REFUSE)
                    .build()) {
                assertThat(leasehold.inspector().diagnose())
                        .filteredOn(finding -> finding.subject().equals("rights"))
                        .extracting(Finding::level)
                        .containsExactly(Finding.Level.FINE);
                Lease held = leasehold.lock("x").acquire(Duration.ofSeconds(5));
                assertThat(held.extend(Duration.ofSeconds(40))).isTrue();
                CompletableFuture<Lease> waiter =
                        leasehold.lock("x").acquireAsync().toCompletableFuture();
                await().atMost(Calls.LIMIT)
                        .until(
                                () -> redis.command("PUBSUB", "CHANNELS", "leasehold:w:*"),
                                channels -> !List.of().equals(channels));
                held.release();
                waiter.get(10, TimeUnit.SECONDS).release();
            }
        }
    }
}
