package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eight processes that contend for a lock of a cluster, while its primary is killed, and while its slot moves. */
@WithRedisCluster(replicas = 1)
@Tag("long")
@On(Topology.CLUSTER)
class ClusterFailoverContract extends AnyContract {

    private static final Duration LEASE = Duration.ofSeconds(2);

    /** A machine that stands still for a second or two costs no such lease. */
    private static final Duration LEASE_THAT_LASTS = Duration.ofSeconds(6);

    private EmbeddedCluster redis;
    private @Nullable Contenders contenders;

    /**
     * Sets the servers.
     *
     * @param started started for the class, and usable again
     */
    @BeforeEach
    protected void take(EmbeddedCluster started) {
        redis = started;
    }

    /** Ends the processes. */
    @AfterEach
    protected void end() {
        if (contenders != null) {
            contenders.close();
        }
    }

    private Contenders contend(String name, Duration lease) {
        Contenders started = Contenders.start(redis.uri(), name, lease);
        contenders = started;
        return started;
    }

    @Test
    void theyGoOnWhenThePrimaryOfTheLockIsKilled() {
        Contenders all = contend("contended", LEASE);
        EmbeddedRedis former = redis.nodeOf(ContractBase.key("contended"));
        EmbeddedRedis replica = redis.replicasOf(former).get(0);
        long killed = System.nanoTime();
        former.kill();
        ContractBase.await().until(() -> redis.primaries().contains(replica));
        all.allHaveATurn();
        all.judge("the primary was killed", killed, true);
    }

    @Test
    void noLeaseIsLostWhileTheSlotOfTheLockMoves() {
        Contenders all = contend("moving", LEASE_THAT_LASTS);
        int slot = redis.slotOf(ContractBase.key("moving"));
        EmbeddedRedis from = redis.nodeOf(slot);
        List<EmbeddedRedis> others =
                redis.primaries().stream().filter(node -> node != from).toList();
        long begun = System.nanoTime();
        for (EmbeddedRedis to : List.of(others.get(0), others.get(1), from)) {
            redis.beginMigration(slot, to);
            redis.moveKeys(slot);
            all.allHaveATurn();
            redis.moveKeys(slot);
            redis.finishMigration(slot);
            all.allHaveATurn();
        }
        assertThat(all.losses()).isZero();
        all.judge("its slot began to move, three times around", begun, false);
    }
}
