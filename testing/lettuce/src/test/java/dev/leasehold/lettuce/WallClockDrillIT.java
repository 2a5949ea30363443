package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.inspect.Finding;
import dev.leasehold.tck.ClockShim;
import dev.leasehold.tck.HolderProcess;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers with different clocks, against the requirement C-2 of docs/guarantees.md: the guarantees that remain when one
 * takes the place of another. Needs gcc and Debian's redis-server, which is linked dynamically.
 */
@Tag("full")
class WallClockDrillIT {

    static final Path SERVER = Path.of("/usr/bin/redis-server");
    static final Duration AHEAD = Duration.ofSeconds(40);
    static final LockOptions SHORT =
            LockOptions.builder().leaseTime(Duration.ofSeconds(3)).build();

    private final ClockShim shim = ClockShim.compile();
    private final EmbeddedSentinel redis = EmbeddedSentinel.builder()
            .replicas(1)
            .settings(shim.settings(SERVER))
            .start();
    private final EmbeddedRedis first = redis.primary();
    private final EmbeddedRedis second = redis.replicas().get(0);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void moveTheClockOfTheReplica() {
        shim.set(second, AHEAD);
        assertThat(seconds(second) - seconds(first)).isBetween(AHEAD.toSeconds() - 1, AHEAD.toSeconds() + 1);
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        redis.close();
        shim.close();
    }

    static long seconds(EmbeddedRedis server) {
        return Long.parseLong(String.valueOf(((List<?>) server.command("TIME")).get(0)));
    }

    /** In seconds of the clock of the server that granted it. */
    static long endOfTheHold(EmbeddedRedis server) {
        Object id = server.command("HGET", "leasehold:{drill}", "own");
        String hold = String.valueOf(server.command("HGET", "leasehold:{drill}", "h:" + id));
        assertThat(hold).matches("[0-9]+:[0-9]+:[0-9]+");
        String[] parts = hold.split(":", -1);
        return (Long.parseLong(parts[0]) + Long.parseLong(parts[1])) / 1_000_000;
    }

    private Leasehold client() {
        Leasehold client = Leasehold.builder()
                .uri(redis.uri())
                .preflight(Preflight.OFF)
                .defaults(SHORT)
                .build();
        opened.add(client);
        return client;
    }

    /** As soon as there is a primary that grants. */
    static Lease acquire(DistributedLock lock) {
        return await().atMost(TransportCalls.LIMIT)
                .ignoreExceptions()
                .until(lock::tryAcquire, found -> found.isPresent())
                .orElseThrow();
    }

    private void awaitReplicated(EmbeddedRedis replica, String name, long token) {
        await().atMost(TransportCalls.LIMIT)
                .until(() -> String.valueOf(replica.command("HGETALL", "leasehold:{" + name + "}"))
                        .contains(Long.toString(token)));
    }

    @Test
    void aReplicaWhoseClockIsAheadGrantsTooEarlyAndTokensDistinguishTheHoldersAndTheFormerIsNotifiedOfItsLoss() {
        DistributedLock lock = client().lock("drill");
        DistributedLock other = client().lock("drill");
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        Lease former = acquire(lock);
        former.onLost(losses::add);
        awaitReplicated(second, "drill", former.fencingToken());
        assertThat(other.tryAcquire()).isEmpty();

        assertThat(redis.failOver()).isSameAs(second);
        // C-2 does not hold: the hold's end, a time, has passed by the clock of the new primary.
        Lease next = acquire(other);
        assertThat(next.fencingToken()).isGreaterThan(former.fencingToken());
        await().atMost(TransportCalls.LIMIT).until(() -> !losses.isEmpty());
        assertThat(former.isHeld()).isFalse();
        assertThatThrownBy(former::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause())
                        .isIn(LossCause.TAKEN_OVER, LossCause.ENDED, LossCause.UNCONFIRMED, LossCause.DELETED));

        // From then on one server decides, and all is as ever.
        assertThat(next.isHeld()).isTrue();
        assertThat(lock.tryAcquire()).isEmpty();
        next.close();
        Lease after = acquire(lock);
        assertThat(after.fencingToken()).isGreaterThan(next.fencingToken());
        after.close();
    }

    @Test
    void backOnTheServerThatIsBehindTokensStillRiseAndAHoldThatEndsFarAheadHeals() throws Exception {
        DistributedLock lock = client().lock("drill");
        assertThat(redis.failOver()).isSameAs(second);
        acquire(lock).close();
        HolderProcess dead = HolderProcess.start(redis.uri(), "drill", SHORT.leaseTime());
        opened.add(dead);
        awaitReplicated(first, "drill", dead.token());
        redis.awaitHealthy();

        // Without renewal and release: for the server that is behind, the hold ends more than 40 s ahead.
        second.pause();
        dead.kill();
        assertThat(redis.awaitSuccessor(second)).isSameAs(first);
        // Else there would be nothing to heal.
        assertThat(endOfTheHold(first) - seconds(first))
                .isGreaterThan(SHORT.leaseTime().toSeconds());
        Lease next = acquire(lock);
        assertThat(next.fencingToken()).isGreaterThan(dead.token());
        next.close();
        second.resume();
    }

    @Test
    void theDoctorTellsOfItBefore() {
        assertThat(client().inspector().diagnose())
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
