package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases on a primary that fails over to its replica by an election. */
@WithRedisCluster(primaries = 2, replicas = 1)
@On(Topology.CLUSTER)
class ClusterElectionContract extends AnyContract {

    private static final String NAME = "failover";

    private EmbeddedCluster cluster;
    private final AtomicInteger renewals = new AtomicInteger();
    private final Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();

    /** Keeps the leases reachable: an unreachable lease is not renewed any more. */
    private final Queue<Lease> leases = new ConcurrentLinkedQueue<>();

    private Leasehold leasehold;

    /**
     * Sets the servers.
     *
     * @param started started for the class, and usable again
     */
    @BeforeEach
    protected void take(EmbeddedCluster started) {
        cluster = started;
        connect();
    }

    private void connect() {
        leasehold = Leasehold.builder()
                .uri(cluster.uri())
                .preflight(Preflight.OFF)
                .commandTimeout(Duration.ofMillis(500))
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals.incrementAndGet();
                    }

                    @Override
                    public void lost(LossEvent event) {
                        losses.add(event);
                    }
                })
                .build();
    }

    /** Closes the client. */
    @AfterEach
    protected void close() {
        leasehold.close();
    }

    private Lease acquire(Duration wait) throws InterruptedException {
        Lease lease = leasehold
                .lock(NAME)
                .with(LockOptions.builder()
                        .leaseTime(Duration.ofSeconds(6))
                        .renewal(Renewal.afterRatio(0.1))
                        .build())
                .acquire(wait);
        leases.add(lease);
        return lease;
    }

    private void awaitRenewals(int more) {
        int before = renewals.get();
        await().atMost(LIMIT).until(() -> renewals.get() >= before + more);
    }

    @Test
    void aLeaseOutlivesAFailoverToAReplicaThatHasIt() throws Exception {
        EmbeddedRedis primary = cluster.nodeOf("leasehold:{" + NAME + "}");
        EmbeddedRedis replica = cluster.replicasOf(primary).get(0);
        Lease lease = acquire(Duration.ofSeconds(5));
        assertThat(cluster.elect(primary)).isSameAs(replica);
        awaitRenewals(3);
        assertThat(replica.command("EXISTS", "leasehold:{" + NAME + "}")).isEqualTo(1L);
        lease.ensureHeld();
        lease.release();
        assertThat(acquire(Duration.ofSeconds(5)).fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(losses).isEmpty();
    }

    @Test
    void aWaiterIsServedByTheReplicaThatWasElected() throws Exception {
        EmbeddedRedis primary = cluster.nodeOf("leasehold:{" + NAME + "}");
        // No time passes for it: it polls only when it has subscribed again.
        try (Leasehold other = Leasehold.builder()
                .uri(cluster.uri())
                .timer(ManualClock.create())
                .build()) {
            Lease lease = acquire(Duration.ofSeconds(5));
            CompletionStage<Lease> next = other.lock(NAME).acquireAsync();
            await().atMost(LIMIT).until(() -> "1".equals(primary.command("HGET", "leasehold:{" + NAME + "}", "wn")));
            cluster.elect(primary);
            awaitRenewals(1);
            lease.release();
            assertThat(TransportCalls.answer(next).fencingToken()).isGreaterThan(lease.fencingToken());
        }
    }

    @Test
    void theReplicaIsFoundThoughThePrimaryNoLongerAnswers() throws Exception {
        EmbeddedRedis primary = cluster.nodeOf("leasehold:{" + NAME + "}");
        acquire(Duration.ofSeconds(5)).release();
        primary.pause();
        cluster.failOver(primary);
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> acquire(Duration.ofSeconds(1)).isHeld());
        awaitRenewals(2);
        assertThat(losses).isEmpty();
        primary.resume();
    }
}
