package dev.leasehold.tck;

import static dev.leasehold.tck.ContractBase.await;
import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquirable;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two clients, and a slot that moves to the other of two primaries, each with a replica. */
@WithRedisCluster(primaries = 2, replicas = 1)
abstract class MovingSlotBase extends ClusterLeases {

    /** A lease that outlasts any stall of the machine, and is renewed soon. */
    static final LockOptions RENEWED = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(30))
            .renewal(Renewal.afterRatio(0.005))
            .build();

    /** Longer than any step takes, so that only a release ends the hold in time. */
    static final LockOptions LASTING =
            RENEWED.toBuilder().leaseTime(Duration.ofMinutes(10)).build();

    private final Map<String, AtomicInteger> waits = new ConcurrentHashMap<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Iterator<String> names;

    Leasehold other;
    int slot;
    EmbeddedRedis from;
    EmbeddedRedis to;

    @Override
    @BeforeEach
    protected void take(EmbeddedCluster started) {
        super.take(started);
        other = builder().build();
        String first = name();
        slot = cluster.slotOf(ContractBase.key(first));
        from = cluster.nodeOf(slot);
        to = cluster.primaries().stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        names = namesOfOneSlot(first).iterator();
    }

    @AfterEach
    void closeOthers() throws Exception {
        other.close();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Registers a resource that is closed after the test. */
    final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Returns a transport that can be intercepted. */
    final Wiretap wire() {
        return new Wiretap(way().open(TransportCalls.settings(cluster.uri())));
    }

    /** Returns a client over it, which closes it; closed after the test. */
    final Leasehold client(Wiretap wire) {
        return closing(
                Leasehold.builder().transport(wire).preflight(Preflight.OFF).build());
    }

    /** A busy machine may keep an answer for longer than the base waits. */
    @Override
    LeaseholdBuilder builder() {
        return hasty().commandTimeout(Duration.ofSeconds(10)).outageTolerance(Duration.ofSeconds(10));
    }

    /** Returns a builder of clients that soon give up. */
    final LeaseholdBuilder hasty() {
        return super.builder().outageTolerance(Duration.ofSeconds(1)).listener(new LeaseholdListener() {
            @Override
            public void waiting(WaitingEvent event) {
                waits(event.lockName()).incrementAndGet();
            }
        });
    }

    private AtomicInteger waits(String name) {
        return waits.computeIfAbsent(name, key -> new AtomicInteger());
    }

    /** Returns another name of the slot. */
    final String nextName() {
        return names.next();
    }

    /** From now on the source sends calls for keys that it does not have to the target. */
    final void beginMigration() {
        cluster.beginMigration(slot, to);
    }

    /** The target gets all keys of the slot, and is still to be asked. */
    final void moveKeys() {
        cluster.moveKeys(slot);
    }

    /** The slot is the target's. */
    final void finishMigration() {
        moveKeys();
        cluster.finishMigration(slot);
    }

    /** Waits until the lease of each lock is renewed twice more. */
    final void awaitRenewals(Collection<String> held) {
        Map<String, Integer> before = new ConcurrentHashMap<>();
        held.forEach(name -> before.put(name, renewals(name).get()));
        await().untilAsserted(() -> assertThat(held)
                .allMatch(name -> renewals(name).get() >= before.getOrDefault(name, 0) + 2, "is renewed"));
    }

    /** Starts an acquisition, and waits until it has found the lock held. */
    final <T> CompletionStage<T> waiting(String name, Supplier<CompletionStage<T>> acquiring) {
        int before = waits(name).get();
        CompletionStage<T> stage = acquiring.get();
        await().until(() -> waits(name).get() > before);
        return stage;
    }

    static <L extends Lease> L acquired(Acquirable<L> lock) {
        return answer(lock.acquireAsync(LIMIT));
    }

    static void assertBusy(Acquirable<?> lock) {
        assertThat(answer(lock.tryAcquireAsync())).isEmpty();
    }

    /** Asserts that nobody holds, retains or waits for a lock of the cluster. */
    final void assertNothingLeft() {
        await().untilAsserted(() -> assertThat(leasehold.inspector().locks()).isEmpty());
    }

    /** Asserts that a lease has a higher token than the former, and returns it. */
    static <L extends Lease> L above(Lease former, L lease) {
        assertThat(lease.fencingToken()).isGreaterThan(former.fencingToken());
        return lease;
    }
}
