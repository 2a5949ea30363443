package dev.leasehold.lettuce;

import static dev.leasehold.lettuce.WallClockDrillIT.AHEAD;
import static dev.leasehold.lettuce.WallClockDrillIT.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.tck.ClockShim;
import dev.leasehold.tck.HolderProcess;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A slot moves between two nodes with different clocks, against the requirement C-2 of docs/guarantees.md: the guarantees that
 * remain. Needs gcc and Debian's redis-server, which is linked dynamically.
 */
@Tag("full")
class ClusterClockDrillIT {

    private static final String KEY = "leasehold:{drill}";

    private final ClockShim shim = ClockShim.compile();
    private final EmbeddedCluster redis = EmbeddedCluster.builder()
            .primaries(2)
            .settings(shim.settings(WallClockDrillIT.SERVER))
            .start();
    private final EmbeddedRedis from = redis.nodeOf(KEY);
    private final EmbeddedRedis to = redis.nodes().get(1 - redis.nodes().indexOf(from));
    private final List<AutoCloseable> opened = new ArrayList<>();
    private DistributedLock lock;
    private DistributedLock other;

    @BeforeEach
    void connect() {
        lock = client().lock("drill");
        other = client().lock("drill");
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        redis.close();
        shim.close();
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

    @Test
    void aHoldThatMovesToANodeWhoseClockIsAheadEndsEarlyAndTokensDistinguishTheHoldersAndTheFormerIsNotified() {
        shim.set(to, AHEAD);
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        Lease former = WallClockDrillIT.acquire(lock);
        former.onLost(losses::add);
        assertThat(other.tryAcquire()).isEmpty();

        redis.migrate(redis.slotOf(KEY), to);
        // C-2 does not hold: the hold's end, a time, has passed by the clock of the node that has the slot now.
        Lease next = WallClockDrillIT.acquire(other);
        assertThat(next.fencingToken()).isGreaterThan(former.fencingToken());
        await().atMost(TransportCalls.LIMIT).until(() -> !losses.isEmpty());
        assertThat(former.isHeld()).isFalse();
        assertThatThrownBy(former::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(losses)
                .singleElement()
                .satisfies(loss ->
                        assertThat(loss.cause()).isIn(LossCause.TAKEN_OVER, LossCause.ENDED, LossCause.DELETED));

        // From then on one node decides, and all is as ever.
        assertThat(next.isHeld()).isTrue();
        assertThat(lock.tryAcquire()).isEmpty();
        next.close();
        Lease after = WallClockDrillIT.acquire(lock);
        assertThat(after.fencingToken()).isGreaterThan(next.fencingToken());
        after.close();
    }

    @Test
    void onANodeThatIsBehindTokensStillRiseAndAHoldThatEndsFarAheadHeals() throws Exception {
        shim.set(from, AHEAD);
        HolderProcess dead = HolderProcess.start(redis.uri(), "drill", SHORT.leaseTime());
        opened.add(dead);
        dead.kill();

        redis.migrate(redis.slotOf(KEY), to);
        // Else there would be nothing to heal.
        assertThat(WallClockDrillIT.endOfTheHold(to) - WallClockDrillIT.seconds(to))
                .isGreaterThan(SHORT.leaseTime().toSeconds());
        Lease next = WallClockDrillIT.acquire(lock);
        assertThat(next.fencingToken()).isGreaterThan(dead.token());
        assertThat(other.tryAcquire()).isEmpty();
        next.close();
    }
}
