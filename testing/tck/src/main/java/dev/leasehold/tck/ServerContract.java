package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A server that loses scripts or data, or is busy, paused, full or down: each state is reported as what it is, and
 * no lock stays held for a caller that has left.
 */
@Except(
        value = {Topology.SENTINEL, Topology.CLUSTER, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it restarts its server")
class ServerContract extends WiredBase {

    /** Returns a site of its own: its server restarts. */
    @Override
    Site site() {
        return topology().start(Site.settings().enableDebugCommand());
    }

    private static final Duration COMMAND = Duration.ofMillis(600);

    @Test
    void scriptsForgottenByTheServerAreSentAgain() throws Exception {
        // hazard 25: NOSCRIPT after a restart, a failover or SCRIPT FLUSH.
        String name = name();
        // Renewed while the scripts are flushed, and longer than a busy machine may pause.
        DistributedLock lock = patient().lock(name).with(lease(5000));
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Boolean> flushing = inThread(() -> {
            while (!stop.get()) {
                server().command("SCRIPT", "FLUSH");
            }
            return true;
        });
        Leasehold other = patient();
        try (Lease lease = lock.acquire()) {
            for (int i = 0; i < 300; i++) {
                assertThat(other.lock(name).tryAcquire()).isEmpty();
                other.lock(name + ":" + i % 3).acquire().close();
            }
            lease.ensureHeld();
        } finally {
            stop.set(true);
            flushing.get(1, TimeUnit.MINUTES);
        }
        assertThat(holds(name)).isZero();
    }

    /** A client for tests in which the server always answers, but a busy machine may take its time. */
    private Leasehold patient() {
        return client(server().uri(), builder -> builder.commandTimeout(Duration.ofSeconds(20)));
    }

    @Test
    void aServerWhoseWritesArePausedCostsTheLeaseAndLeavesNothingHeld() throws Exception {
        // hazard 26: CLIENT PAUSE WRITE lets time pass while no renewal is executed; queued writes run at its end.
        String name = name();
        Leasehold leasehold = client(server().uri(), builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Lease lease = leasehold.lock(name).with(lease(900)).acquire();
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        server().command("CLIENT", "PAUSE", "60000", "WRITE");
        try {
            assertThatThrownBy(() -> leasehold.lock(name()).tryAcquire()).isInstanceOf(LockUnavailableException.class);
            await().until(() -> losses.size() == 1);
        } finally {
            server().command("CLIENT", "UNPAUSE");
        }
        isGivenBack(name);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aFullServerStillRenewsAndReleasesAndReportsItsErrorToAnAcquire() throws Exception {
        // hazard 19, finding 10: out of memory.
        String name = name();
        Set<String> renewed = ConcurrentHashMap.newKeySet();
        Leasehold leasehold = client(
                server().uri(),
                builder -> builder.listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewed.add(event.lockName());
                    }
                }));
        Lease lease = leasehold.lock(name).with(renewedSoon()).acquire();
        String ofNamed = name();
        Lease named = leasehold.lock(ofNamed).ownedBy("o").with(renewedSoon()).acquire();
        server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> leasehold.lock(name()).tryAcquire())
                    .isInstanceOf(RedisOutOfMemoryException.class)
                    .hasMessageContaining("out of memory")
                    .hasMessageContaining("maxmemory");
            List<Finding> findings = Diagnostics.of(leasehold).findings();
            assertThat(findings)
                    .filteredOn(finding -> finding.level() == Finding.Level.DANGER)
                    .extracting(Finding::subject)
                    .containsExactly("memory");
            assertThat(findings)
                    .filteredOn(finding -> finding.text().contains("OOM"))
                    .extracting(Finding::remedy)
                    .noneMatch(remedy -> remedy.contains("Grant"));
            for (int times = 0; times < 2; times++) {
                renewed.clear();
                await().until(() -> renewed.containsAll(List.of(name, ofNamed)));
            }
            lease.ensureHeld();
            named.ensureHeld();
            assertThat(leasehold.lock(name).tryAcquire()).isEmpty();
            lease.close();
            named.close();
            assertThat(holds(name)).isZero();
        } finally {
            server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aServerThatRestartedEmptyIsNoticedAndItsLocksCanBeTakenAgain() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        Lease lease = leasehold.lock(name).with(renewedSoon()).acquire();
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        server().restartEmpty();
        await().until(() -> losses.size() == 1);
        try (Lease next = leasehold.lock(name).acquire(Duration.ofSeconds(15))) {
            assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        }
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aServerThatIsDownIsUnavailableAndNeverBusyNorFree() {
        // hazard 56: an error reported as false.
        String name = name();
        DistributedLock lock = client(server().uri(), builder -> builder.commandTimeout(COMMAND))
                .lock(name);
        server().stop();
        try {
            // The first request may have been sent before the end of the connection was noticed; later ones not.
            await().untilAsserted(() -> assertThatThrownBy(lock::tryAcquire)
                    .isInstanceOf(LockUnavailableException.class)
                    .satisfies(e -> assertThat(((LockUnavailableException) e).mayBeTaken())
                            .isFalse()));
            assertThatThrownBy(lock::tryLock).isInstanceOf(LockUnavailableException.class);
            assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(200)))
                    .isInstanceOf(LockUnavailableException.class);
            assertThatThrownBy(lock::inspect).isInstanceOf(LockUnavailableException.class);
        } finally {
            server().restart();
        }
    }

    @Test
    void aWaitWithoutLimitEndsWhenRedisIsAwayForLongerThanTheTolerance() {
        DistributedLock lock = client(
                        server().uri(),
                        builder ->
                                builder.commandTimeout(Duration.ofMillis(200)).outageTolerance(Duration.ofMillis(500)))
                .lock(name());
        server().stop();
        try {
            assertThatThrownBy(lock::lock).isInstanceOf(LockUnavailableException.class);
        } finally {
            server().restart();
        }
    }

    @Test
    void aServerThatIsBusyWithAScriptIsWaitedFor() throws Exception {
        // hazard 23: -BUSY to every command, for a while.
        server().command("CONFIG", "SET", "lua-time-limit", "20");
        AtomicInteger busy = new AtomicInteger();
        Wiretap wire = wire();
        wire.all((call, go) -> go.get().whenComplete((reply, failure) -> {
            if (failure instanceof RedisErrorException error && error.code().equals("BUSY")) {
                busy.incrementAndGet();
            }
        }));
        Leasehold leasehold = client(wire, builder -> {});
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        try (Lease lease = leasehold.lock(name()).with(lease(6000)).acquire()) {
            lease.onLost(losses::add);
            CompletableFuture<Object> endless = inThread(() -> {
                assertThatThrownBy(() -> server().command("EVAL", "while true do end", "0"));
                return true;
            });
            await().until(() -> {
                try {
                    return server().command("PING") == null;
                } catch (RuntimeException e) {
                    return String.valueOf(e.getMessage()).contains("BUSY");
                }
            });
            CompletableFuture<Lease> waiting =
                    inThread(() -> leasehold.lock(name()).acquire(Duration.ofSeconds(15)));
            await().until(() -> busy.get() > 2);
            server().command("SCRIPT", "KILL");
            endless.get(1, TimeUnit.MINUTES);
            waiting.get(1, TimeUnit.MINUTES).close();
            lease.ensureHeld();
        }
        assertThat(losses).isEmpty();
    }
}
