package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.event.LossCause;
import dev.leasehold.tck.HolderProcess;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A slot moves between two nodes with different clocks, against the requirement C-2 of docs/guarantees.md: the guarantees that
 * remain. Needs gcc and Debian's redis-server, which is linked dynamically.
 */
@Tag("full")
class ClusterClockDrillIT extends ClockDrillBase {

    private static final String KEY = "leasehold:{drill}";

    private final EmbeddedCluster redis = EmbeddedCluster.builder()
            .primaries(2)
            .settings(shim.settings(SERVER))
            .start();
    private final EmbeddedRedis from = redis.nodeOf(KEY);
    private final EmbeddedRedis to = redis.nodes().get(1 - redis.nodes().indexOf(from));

    @Override
    String uri() {
        return redis.uri();
    }

    @Override
    AutoCloseable servers() {
        return redis;
    }

    private void migrate() {
        redis.migrate(redis.slotOf(KEY), to);
    }

    @Test
    void aHoldThatMovesToANodeWhoseClockIsAheadEndsEarlyAndTokensDistinguishTheHoldersAndTheFormerIsNotified() {
        shim.set(to, AHEAD);
        grantsTooEarly(former -> migrate(), LossCause.TAKEN_OVER, LossCause.ENDED, LossCause.DELETED);
    }

    @Test
    void onANodeThatIsBehindTokensStillRiseAndAHoldThatEndsFarAheadHeals() throws Exception {
        shim.set(from, AHEAD);
        HolderProcess dead = opened(HolderProcess.start(redis.uri(), "drill", SHORT.leaseTime()));
        dead.kill();

        migrate();
        assertEndsFarAhead(to);
        Lease next = acquire(client().lock("drill"));
        assertThat(next.fencingToken()).isGreaterThan(dead.token());
        assertThat(client().lock("drill").tryAcquire()).isEmpty();
        next.close();
    }
}
