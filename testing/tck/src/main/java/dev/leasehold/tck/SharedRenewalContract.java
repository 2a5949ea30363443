package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Leases that are due together share calls, and nothing else: a failure of one affects only that one. All keys are
 * in one slot, so that this applies to a cluster too. What happens when such a call is refused, gets no answer or has a lease that is released
 * meanwhile depends on no server: {@code RenewalBatchTest}.
 */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class SharedRenewalContract extends WiredBase {

    private static final int SLOTS = 16_384;
    private static final String MANY = "renew_many";

    private final Map<String, AtomicInteger> renewals = new ConcurrentHashMap<>();
    private final Map<String, LossCause> losses = new ConcurrentHashMap<>();

    private Leasehold listening(Wiretap wire) {
        renewals.clear();
        losses.clear();
        return client(
                wire,
                builder -> builder.listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals.computeIfAbsent(event.lockName(), name -> new AtomicInteger())
                                .incrementAndGet();
                    }

                    @Override
                    public void lost(LossEvent event) {
                        losses.put(event.lockName(), event.cause());
                    }
                }));
    }

    private int renewalsOf(String name) {
        AtomicInteger count = renewals.get(name);
        return count == null ? 0 : count.get();
    }

    /** Waits until each was renewed so many times more; none is lost meanwhile. */
    private void awaitRenewals(Map<String, Lease> leases, int more) {
        Map<String, Integer> before = leases.keySet().stream().collect(Collectors.toMap(n -> n, this::renewalsOf));
        await().failFast(() ->
                        assertThat(losses).doesNotContainKeys(leases.keySet().toArray(String[]::new)))
                .until(() -> before.entrySet().stream()
                        .allMatch(entry -> renewalsOf(entry.getKey()) >= entry.getValue() + more));
    }

    /**
     * Returns as many leases of locks in one slot, acquired at nearly the same time. They are renewed soon, but not so soon that they
     * no longer share calls.
     */
    private Map<String, Lease> hold(Leasehold leasehold, int count) {
        LockOptions options =
                lease(6000).toBuilder().renewal(Renewal.afterRatio(0.15)).build();
        Map<String, CompletionStage<Lease>> asked = new LinkedHashMap<>();
        for (String name : namesOfOneSlot(count)) {
            asked.put(name, leasehold.lock(name).with(options).acquireAsync());
        }
        Map<String, Lease> leases = new LinkedHashMap<>();
        asked.forEach(
                (name, lease) -> leases.put(name, lease.toCompletableFuture().join()));
        return leases;
    }

    private List<String> namesOfOneSlot(int count) {
        String prefix;
        do {
            prefix = name() + ":";
        } while (server(key(prefix)) != server());
        String slot = prefix;
        int begun = crc(0, prefix);
        return IntStream.iterate(0, n -> n + 1)
                .mapToObj(Integer::toString)
                .filter(suffix -> crc(begun, suffix) % SLOTS == begun % SLOTS)
                .limit(count)
                .map(slot::concat)
                .toList();
    }

    /**
     * Computes CRC-16/XMODEM, which of the hash tag gives the slot; continues from the checksum of the preceding
     * text.
     */
    private static int crc(int before, String text) {
        int crc = before;
        for (int i = 0; i < text.length(); i++) {
            crc ^= text.charAt(i) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : (crc << 1) ^ 0x1021;
            }
        }
        return crc & 0xffff;
    }

    @Test
    void leasesThatAreDueTogetherGoInFarFewerCallsThanThereAreLeases() {
        Map<String, Lease> leases = hold(listening(wire()), 200);
        awaitRenewals(leases, 1);
        long before = server().commandCounts().getOrDefault("evalsha", 0L);
        renewals.clear();
        await().until(() ->
                renewals.values().stream().mapToInt(AtomicInteger::get).sum() >= 400);
        long calls = server().commandCounts().getOrDefault("evalsha", 0L) - before;
        assertThat(calls).isBetween(4L, 400L / 5);
        assertThat(losses).isEmpty();
        assertThat(leases.values()).allMatch(Lease::isHeld);
    }

    @Test
    void whatBefallsOneLeaseAmongManyCostsOnlyThatOne() {
        // finding 15: a batch answer is judged entry by entry.
        Queue<ScriptCall> shared = new ConcurrentLinkedQueue<>();
        Wiretap wire = wire();
        Map<String, Lease> leases = hold(listening(wire), 60);
        wire.all((call, go) -> {
            if (call.script().name().equals(MANY)) {
                shared.add(call);
            }
            return go.get();
        });
        List<String> names = new ArrayList<>(leases.keySet());
        Map<String, LossCause> expected = new HashMap<>(Map.of(
                names.get(5), LossCause.ENDED,
                names.get(15), LossCause.DELETED,
                names.get(25), LossCause.DELETED,
                names.get(35), LossCause.TAKEN_OVER,
                names.get(45), LossCause.UNCONFIRMED));
        endHold(names.get(5));
        server().command("DEL", key(names.get(15)));
        server().command("SET", key(names.get(25)), "not a lock");
        server().command("DEL", key(names.get(35)));
        Lease thief = client().lock(names.get(35)).tryAcquire().orElseThrow();
        // Its renewal ends with an error of the script.
        server().command("HSET", key(names.get(45)), "h:" + field(names.get(45), "own"), "no hold");

        await().until(() -> losses.size() >= expected.size());
        if (losses.get(names.get(35)) == LossCause.DELETED) {
            // It heard of the deletion before the thief had the lock.
            expected.put(names.get(35), LossCause.DELETED);
        }
        assertThat(losses).isEqualTo(expected);
        long inCompany = expected.keySet().stream()
                .filter(name -> shared.stream().anyMatch(call -> call.keys().contains(key(name))))
                .count();
        assertThat(inCompany).as("how many of them shared a call").isPositive();
        leases.keySet().removeAll(expected.keySet());
        awaitRenewals(leases, 2);
        assertThat(losses).isEqualTo(expected);
        assertThat(leases.values()).allMatch(Lease::isHeld);
        assertThat(server().command("GET", key(names.get(25)))).isEqualTo("not a lock");
        thief.ensureHeld();
    }
}
