package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Owners with a name, who re-enter from anywhere: their holds are a set, one for each acquisition. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
public abstract class OwnerContract extends WiredContract {

    /** For subclasses. */
    protected OwnerContract() {}

    @Test
    void aNamedOwnerReentersFromAnotherThreadAndAnotherClient() throws Exception {
        String name = name();
        OwnedLock here = client().lock(name).ownedBy("order-17");
        OwnedLock there = client().lock(name).ownedBy("order-17");
        here.lock();
        assertThat(inThread(there::tryLock).get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(here.holdCount()).isEqualTo(2);
        assertThat(here.isHeld()).isTrue();
        assertThat(client().lock(name).tryLock()).isFalse();
        assertThat(client().lock(name).ownedBy("order-18").tryLock()).isFalse();
        here.unlock();
        assertThat(here.isHeld()).isTrue();
        assertThat(client().lock(name).tryLock()).isFalse();
    }

    @Test
    void aLeaseOfANamedOwnerReentersAndTheLastOneFrees() throws Exception {
        String name = name();
        OwnedLock here = client().lock(name).ownedBy("job-1");
        OwnedLock there = client().lock(name).ownedBy("job-1");
        Lease first = here.acquire();
        Lease second = there.acquire();
        assertThat(second.owner()).isEqualTo("job-1");
        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        assertThat(here.holdCount()).isEqualTo(2);
        first.close();
        second.ensureHeld();
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        second.close();
        assertThat(here.isHeld()).isFalse();
    }

    @Test
    void aRetriedEntryCountsOnceAlsoWhenAnotherProcessEnteredInBetween() throws Exception {
        // finding 2 (i): with one count and one id, the retry would find the other's id and enter again.
        String name = name();
        OwnedLock there = client().lock(name).ownedBy("o");
        CompletableFuture<Lease> between = new CompletableFuture<>();
        Wiretap wire = wire();
        OwnedLock here = client(wire, builder -> {}).lock(name).ownedBy("o");
        wire.next("acquire", (call, go) -> {
            Wiretap.executed(go);
            between.complete(there.tryAcquire().orElseThrow());
            return Wiretap.lost();
        });
        Lease retried = here.acquire();
        Lease other = between.get(20, TimeUnit.SECONDS);
        assertThat(here.holdCount()).isEqualTo(2);
        assertThat(retried.fencingToken()).isEqualTo(other.fencingToken());
        retried.close();
        other.ensureHeld();
        other.close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void aRetriedReleaseLeavesTheHoldOfAnotherProcess() throws Exception {
        // finding 2 (ii): with a count, the repeated release would take the other's hold away.
        String name = name();
        Lease other = client().lock(name).ownedBy("o").acquire();
        Wiretap wire = wire();
        Lease lease = client(wire, builder -> {}).lock(name).ownedBy("o").acquire();
        wire.next("release", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        lease.close();
        assertThat(holds(name)).isEqualTo(1);
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        other.ensureHeld();
        other.close();
        assertThat(client().lock(name).tryAcquire()).isPresent();
    }

    @Test
    void aShortReentryDoesNotShortenTheHoldOfAnotherProcess() throws Exception {
        // finding 2 (iii): with one end for all, the lock would be free when the short hold ends.
        String name = name();
        OwnedLock longHold = client().lock(name).ownedBy("o").with(unrenewed(20_000));
        OwnedLock shortHold = client().lock(name).ownedBy("o").with(unrenewed(100));
        longHold.lock();
        shortHold.lock();
        await().until(() -> longHold.holdCount() == 1);
        assertThat(client().lock(name).tryLock()).isFalse();
        longHold.unlock();
        assertThat(client().lock(name).tryLock()).isTrue();
    }

    @Test
    void aForcedReleaseEndsAllHoldsOfAnOwnerAndTellsEach() throws Exception {
        // finding 25 (f)
        String name = name();
        AtomicInteger losses = new AtomicInteger();
        Lease here = client().lock(name).ownedBy("o").with(lease(900)).acquire();
        Lease there = client().lock(name).ownedBy("o").with(lease(900)).acquire();
        here.onLost(event -> losses.incrementAndGet());
        there.onLost(event -> losses.incrementAndGet());
        assertThat(client().lock(name).forceRelease()).isTrue();
        try (Lease next = client().lock(name).tryAcquire().orElseThrow()) {
            assertThat(next.fencingToken()).isGreaterThan(there.fencingToken());
            await().until(() -> losses.get() == 2);
            next.ensureHeld();
        }
    }

    @Test
    void aLongOwnerNameIsKeptAsAHashAndStillReenters() throws Exception {
        String owner = "订单-".repeat(20);
        String name = name();
        OwnedLock here = client().lock(name).ownedBy(owner);
        here.lock();
        assertThat(field(name, "own")).startsWith("n#").hasSizeLessThan(64);
        assertThat(here.owner()).isEqualTo(owner);
        assertThat(client().lock(name).ownedBy(owner).tryLock()).isTrue();
        assertThat(client().lock(name).ownedBy(owner + "!").tryLock()).isFalse();
    }

    @Test
    void noValueOfALockIsEverLongSoThatRedisKeepsItCompact() throws Exception {
        // finding 25 (a): one value above 64 bytes triples the memory of the key.
        String name = name();
        LockOptions labelled = LockOptions.builder().label("标".repeat(21)).build();
        CompletableFuture<Lease> acquired = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> acquired.complete(client().lock(name)
                        .with(labelled)
                        .ownedBy("o".repeat(512))
                        .tryAcquire()
                        .orElseThrow()),
                "线".repeat(100));
        thread.start();
        try (Lease lease = acquired.get(20, TimeUnit.SECONDS)) {
            assertThat(lease.owner()).hasSize(512);
            assertThat(values(name))
                    .isNotEmpty()
                    .allSatisfy((field, value) -> assertThat(value.getBytes(StandardCharsets.UTF_8))
                            .as(field)
                            .hasSizeLessThan(64));
        }
    }

    private Map<String, String> values(String name) {
        Map<String, String> values = new TreeMap<>();
        for (Object field : list(server().command("HKEYS", key(name)))) {
            values.put(field.toString(), field(name, field.toString()));
        }
        return values;
    }
}
