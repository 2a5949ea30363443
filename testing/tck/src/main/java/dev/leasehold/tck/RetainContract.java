package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A client retains a released hold for a short time: it uses the hold again without a request, and gives it up when another client
 * asks for the lock.
 */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class RetainContract extends ContractBase {

    private static final Duration RETENTION = Duration.ofMillis(800);
    private static final LockOptions RETAINING =
            LockOptions.builder().retainFor(RETENTION).build();

    /** Returns the lock of a client that retains its hold, after the first release that did so. */
    private DistributedLock retained(Leasehold client, String name) {
        DistributedLock lock = client.lock(name).with(RETAINING);
        // The first releases may come before the client receives wake-ups.
        await().until(() -> released(lock.acquire()) && !field(name, "rt").equals("null"));
        return lock;
    }

    private static long scripts(Map<String, Long> counts) {
        return counts.getOrDefault("evalsha", 0L);
    }

    @Test
    void theSameClientUsesTheHoldAgainWithoutARequest() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        server().resetStats();
        List<Long> tokens = new ArrayList<>();
        int held = 0;
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < Duration.ofSeconds(1).toNanos() || tokens.size() < 1000) {
            Lease lease = lock.acquire();
            tokens.add(lease.fencingToken());
            held += released(lease) ? 1 : 0;
            Thread.onSpinWait();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        // A busy machine may let one end between its grant and its release.
        assertThat(held).isGreaterThan(tokens.size() * 9 / 10);
        // Far fewer than one for a hundred, also if a busy machine let the hold end once or twice.
        assertThat(scripts(server().commandCounts())).isLessThan(tokens.size() / 100L + 5);
    }

    @Test
    void anotherClientGetsAnIdleLockLongBeforeItsTimeIsOver() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        DistributedLock other = client().lock(name);
        long token = 0;
        for (int i = 0; i < 3; i++) {
            try (Lease lease = lock.acquire()) {
                token = lease.fencingToken();
            }
            try (Lease lease = other.acquire()) {
                assertThat(lease.fencingToken()).isGreaterThan(token);
                assertThat(holds(name)).isOne();
                assertThat(field(name, "rt")).isEqualTo("null");
                token = lease.fencingToken();
            }
            try (Lease lease = lock.acquire()) {
                assertThat(lease.fencingToken()).isGreaterThan(token);
            }
        }
    }

    @Test
    void aLeaseThatIsExportedAndClosedAtOnceLastsLongerThanTheRetention() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        Lease lease = lock.acquire();
        String exported = lease.export();
        lease.close();
        long closed = serverMicros();
        await().until(() -> serverMicros() > closed + 2 * RETENTION.toNanos() / 1000);
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        try (Lease resumed = client().resume(exported)) {
            resumed.ensureHeld();
            assertThat(resumed.fencingToken()).isGreaterThan(lease.fencingToken());
        }
        assertThat(holds(name)).isZero();
    }

    @Test
    void aTryWithoutAWaitFindsTheLockBusyAndThenFree() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        DistributedLock other = client().lock(name);
        // On a busy machine the retained hold may have ended before the try.
        await().until(() -> {
            boolean retained = released(lock.acquire());
            Optional<Lease> free = other.tryAcquire();
            free.ifPresent(Lease::close);
            return retained && free.isEmpty();
        });
        assertThat(field(name, "rt")).isEqualTo("null");
        await().until(() -> holds(name) == 0);
        assertThat(other.tryAcquire()).isPresent();
    }

    @Test
    void inspectionShowsThatItIsRetained() throws Exception {
        String name = name();
        DistributedLock lock = client().lock(name).with(RETAINING);
        // Such a hold lasts for less than a second, so it is read until it is met.
        LockBase.useUntilRetained(lock);
        DistributedLock other = client().lock(name);
        try (Lease lease = other.acquire()) {
            assertThat(lock.inspect())
                    .hasValueSatisfying(info -> assertThat(info.retained()).isFalse());
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aLockInUseIsPassedOnWhenItIsReleased() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        Lease user = lock.acquire();
        CompletableFuture<Lease> waiter = waiter(client().lock(name));
        untilWaiting(name, 1);
        assertThat(waiter).isNotDone();
        user.close();
        try (Lease next = granted(waiter)) {
            assertThat(next.fencingToken()).isGreaterThan(user.fencingToken());
        }
    }

    @Test
    void aLeaseOfARetainedHoldIsRenewedToItsWholeTime() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        try (Lease user = lock.acquire()) {
            await().until(() -> user.remaining().compareTo(Duration.ofSeconds(20)) > 0);
            assertThat(holdEnd(name) - serverMicros()).isGreaterThan(20_000_000L);
        }
        // Nobody uses it, so it ends within the time for which it is retained.
        assertThat(holds(name) == 0 || holdEnd(name) - serverMicros() <= 800_000)
                .isTrue();
    }

    @Test
    void anIdleHoldEnds() throws Exception {
        String name = name();
        Leasehold client = client();
        // On a busy machine it may end by itself before it is released: then its fields stay as long as the key.
        await().until(() -> {
            DistributedLock lock = retained(client, name);
            await().ignoreException(LockUnavailableException.class)
                    .until(() -> lock.inspect().isEmpty());
            return holds(name) == 0;
        });
        assertThat(field(name, "tok")).isEqualTo("null");
    }

    @Test
    void closingAClientReleasesWhatItRetains() throws Exception {
        String name = name();
        Leasehold client = client();
        DistributedLock lock = retained(client, name);
        await().until(() -> released(lock.acquire()));
        client.close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void aForcedReleaseAndARequestToReleaseReachARetainedHold() throws Exception {
        String name = name();
        DistributedLock lock = retained(client(), name);
        DistributedLock other = client().lock(name);
        // On a busy machine a retained hold may have ended before; after a request, the client retains none for a
        // second.
        await().until(() -> released(lock.acquire()) && other.requestRelease());
        await().until(() -> holds(name) == 0);
        long[] token = new long[1];
        await().until(() -> {
            try (Lease lease = lock.acquire()) {
                token[0] = lease.fencingToken();
            }
            return other.forceRelease();
        });
        try (Lease lease = other.acquire()) {
            assertThat(lease.fencingToken()).isGreaterThan(token[0]);
        }
    }
}
