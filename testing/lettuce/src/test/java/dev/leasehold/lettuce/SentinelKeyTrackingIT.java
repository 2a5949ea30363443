package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** After a failover the client asks the new primary for its locks, and hears of their changes from it. */
@WithRedisSentinel(downAfterMillis = 5_000)
class SentinelKeyTrackingIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final EmbeddedSentinel redis;

    SentinelKeyTrackingIT(EmbeddedSentinel redis) {
        this.redis = redis;
    }

    private static void awaitTracked(EmbeddedRedis node) {
        await().atMost(LIMIT)
                .until(() -> !node.info("stats").get("tracking_total_keys").equals("0"));
    }

    @Test
    void aLockThatTheFailoverLostIsReportedAndOneThatItKeptIsTrackedOn() throws Exception {
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.ofHours(3)).build();
        try (Leasehold leasehold =
                Leasehold.builder().uri(redis.uri()).defaults(options).build()) {
            Lease kept = leasehold.lock("kept").acquire();
            Lease lost = leasehold.lock("lost").acquire();
            lost.onLost(losses::add);
            awaitTracked(redis.primary());
            for (EmbeddedRedis replica : redis.replicas()) {
                await().atMost(LIMIT)
                        .until(() -> replica.command("EXISTS", "leasehold:{lost}", "leasehold:{kept}")
                                .equals(2L));
                // As if the write that acquired it had not been replicated.
                replica.command("CONFIG", "SET", "replica-read-only", "no");
                replica.command("DEL", "leasehold:{lost}");
            }
            EmbeddedRedis successor = redis.failOver();
            await().atMost(LIMIT).until(() -> losses.size() == 1);
            assertThat(losses.element().cause()).isEqualTo(LossCause.DELETED);
            awaitTracked(successor);
            assertThat(kept.isHeld()).isTrue();
            successor.command("DEL", "leasehold:{kept}");
            await().atMost(LIMIT).until(() -> !kept.isHeld());
        }
    }
}
