package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Leases on three primaries, and the events of their client: the base of the contracts of clusters. */
@WithRedisCluster
@On(Topology.CLUSTER)
abstract class ClusterLeases extends AnyContract {

    private static final AtomicInteger NAMES = new AtomicInteger();

    EmbeddedCluster cluster;
    final Map<String, AtomicInteger> renewals = new ConcurrentHashMap<>();
    final Map<String, LossEvent> losses = new ConcurrentHashMap<>();
    Leasehold leasehold;

    /**
     * Sets the servers.
     *
     * @param started started for the class, and usable again
     */
    @BeforeEach
    protected void take(EmbeddedCluster started) {
        cluster = started;
        leasehold = builder().build();
    }

    LeaseholdBuilder builder() {
        return Leasehold.builder()
                .uri(cluster.uri())
                .preflight(Preflight.OFF)
                .commandTimeout(Duration.ofMillis(500))
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals(event.lockName()).incrementAndGet();
                    }

                    @Override
                    public void lost(LossEvent event) {
                        losses.put(event.lockName(), event);
                    }
                });
    }

    /** Closes the client. */
    @AfterEach
    protected void close() {
        leasehold.close();
    }

    AtomicInteger renewals(String name) {
        return renewals.computeIfAbsent(name, key -> new AtomicInteger());
    }

    void awaitRenewals(String name, int more) {
        int before = renewals(name).get();
        await().atMost(LIMIT).until(() -> renewals(name).get() >= before + more);
    }

    DistributedLock lock(String name) {
        return leasehold
                .lock(name)
                .with(LockOptions.builder()
                        .leaseTime(Duration.ofSeconds(20))
                        .renewal(Renewal.afterRatio(0.02))
                        .waitStrategy(WaitStrategy.polling(Duration.ofMillis(10)))
                        .build());
    }

    Lease acquire(String name) {
        try {
            return lock(name).acquire(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static String name() {
        return "cluster:" + NAMES.incrementAndGet();
    }

    /** Returns names whose keys are in the slot of the first. */
    final Stream<String> namesOfOneSlot(String first) {
        int slot = cluster.slotOf(ContractBase.key(first));
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(n -> first + ":" + n)
                .filter(name -> cluster.slotOf(ContractBase.key(name)) == slot);
    }

    /** Returns the same number of names for each node. */
    Map<EmbeddedRedis, List<String>> names(int each) {
        Map<EmbeddedRedis, List<String>> names = new HashMap<>();
        while (names.size() < 3 || names.values().stream().anyMatch(list -> list.size() < each)) {
            String name = name();
            List<String> list =
                    names.computeIfAbsent(cluster.nodeOf(ContractBase.key(name)), node -> new ArrayList<>());
            if (list.size() < each) {
                list.add(name);
            }
        }
        return names;
    }

    /** Acquires a lock, waits for its renewal, and releases it. */
    void use(String name) {
        Lease lease = acquire(name);
        awaitRenewals(name, 1);
        lease.release();
        assertThat(lock(name).inspect()).isEmpty();
    }
}
