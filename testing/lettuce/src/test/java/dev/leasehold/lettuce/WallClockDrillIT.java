package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.LossCause;
import dev.leasehold.tck.HolderProcess;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers with different clocks, against the requirement C-2 of docs/guarantees.md: the guarantees that remain when one
 * takes the place of another. Needs gcc and Debian's redis-server, which is linked dynamically.
 */
@Tag("full")
class WallClockDrillIT extends ClockDrillBase {

    private final EmbeddedSentinel redis = EmbeddedSentinel.builder()
            .replicas(1)
            .settings(shim.settings(SERVER))
            .start();
    private final EmbeddedRedis first = redis.primary();
    private final EmbeddedRedis second = redis.replicas().get(0);

    @Override
    String uri() {
        return redis.uri();
    }

    @Override
    AutoCloseable servers() {
        return redis;
    }

    @BeforeEach
    void moveTheClockOfTheReplica() {
        shim.set(second, AHEAD);
        assertThat(seconds(second) - seconds(first)).isBetween(AHEAD.toSeconds() - 1, AHEAD.toSeconds() + 1);
    }

    private void awaitReplicated(EmbeddedRedis replica, long token) {
        await().atMost(TransportCalls.LIMIT)
                .until(() -> String.valueOf(replica.command("HGETALL", "leasehold:{drill}"))
                        .contains(Long.toString(token)));
    }

    @Test
    void aReplicaWhoseClockIsAheadGrantsTooEarlyAndTokensDistinguishTheHoldersAndTheFormerIsNotifiedOfItsLoss() {
        grantsTooEarly(
                former -> {
                    awaitReplicated(second, former.fencingToken());
                    assertThat(redis.failOver()).isSameAs(second);
                },
                LossCause.TAKEN_OVER,
                LossCause.ENDED,
                LossCause.UNCONFIRMED,
                LossCause.DELETED);
    }

    @Test
    void backOnTheServerThatIsBehindTokensStillRiseAndAHoldThatEndsFarAheadHeals() throws Exception {
        DistributedLock lock = client().lock("drill");
        assertThat(redis.failOver()).isSameAs(second);
        acquire(lock).close();
        HolderProcess dead = opened(HolderProcess.start(redis.uri(), "drill", SHORT.leaseTime()));
        awaitReplicated(first, dead.token());
        redis.awaitHealthy();

        // Without renewal and release: for the server that is behind, the hold ends more than 40 s ahead.
        second.pause();
        dead.kill();
        assertThat(redis.awaitSuccessor(second)).isSameAs(first);
        assertEndsFarAhead(first);
        Lease next = acquire(lock);
        assertThat(next.fencingToken()).isGreaterThan(dead.token());
        next.close();
        second.resume();
    }

    @Test
    void theDoctorTellsOfItBefore() {
        assertThat(Diagnostics.of(client()).findings())
                .filteredOn(finding -> finding.subject().equals("clocks"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Finding.Level.DANGER);
                    assertThat(finding.text())
                            .startsWith("The clock of 127.0.0.1:" + second.port() + " is ")
                            .contains(" s ahead of that of 127.0.0.1:" + first.port());
                });
    }
}
