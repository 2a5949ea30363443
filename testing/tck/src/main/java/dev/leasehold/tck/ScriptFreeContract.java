package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Plain locks for a user that may not run scripts: the same leases, by WATCH, MULTI and EXEC. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class ScriptFreeContract extends ContractBase {

    private static final String USER = "bare";

    /** Grants the documented rights, and no others. */
    @BeforeEach
    protected void grant() {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", USER, "reset", "on", ">p", "~*"));
        DocumentedRights.of("scriptfree").stream()
                .filter(right -> right.startsWith("+"))
                .forEach(command::add);
        assertThat(command).doesNotContain("+eval", "+evalsha").contains("+watch");
        assertThat(server().command(command.toArray(String[]::new))).isEqualTo("OK");
    }

    private Leasehold scriptFree() {
        return client(server().uri(USER, "p"), builder -> builder.scripts(Scripts.NONE));
    }

    private Leasehold scriptFree(FaultProxy proxy, long commandMillis) {
        return client(
                "redis://" + USER + ":p@" + proxy.host() + ":" + proxy.port(),
                builder -> builder.scripts(Scripts.NONE).commandTimeout(Duration.ofMillis(commandMillis)));
    }

    @Test
    void itIsThePlainLockOfClientsWithScriptsAndSendsNone() throws Exception {
        String name = name();
        DistributedLock bare = scriptFree().lock(name, LockFormat.plain()).with(unrenewed(20_000));
        DistributedLock scripted = client().lock(name, LockFormat.plain());
        server().resetStats();
        try (Lease lease = bare.acquire()) {
            assertThat(value(name)).startsWith(lease.owner()).hasSizeGreaterThan(40);
            assertThat(left(name)).isBetween(10_000L, 20_001L);
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(20));
            assertThat(bare.tryAcquire()).isEmpty();
            assertThat(server().commandCounts()).doesNotContainKeys("eval", "evalsha");
            assertThat(scripted.tryAcquire()).isEmpty();
            LockInfo info = bare.inspect().orElseThrow();
            assertThat(info.owner()).isEqualTo(lease.owner());
            assertThat(info.since()).isEqualTo(scripted.inspect().orElseThrow().since());
            assertThatThrownBy(lease::fencingToken).isInstanceOf(UnsupportedOperationException.class);
        }
        assertThat(exists(name)).isFalse();
        try (Lease lease = scripted.acquire()) {
            assertThat(bare.tryAcquire()).isEmpty();
            assertThat(bare.inspect().orElseThrow().owner()).isEqualTo(lease.owner());
            assertThat(bare.forceRelease()).isTrue();
            assertThat(bare.forceRelease()).isFalse();
            assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        }
    }

    @Test
    void atMostOneOfAllThreadsAndClientsWithScriptsAndWithoutIsInside() throws Exception {
        String name = name();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (Leasehold client : List.of(scriptFree(), scriptFree(), client())) {
            DistributedLock lock = client.lock(name, LockFormat.plain()).with(lease(20_000));
            for (int i = 0; i < 2; i++) {
                all.add(inThread(() -> {
                    int worst = 0;
                    while (rounds.incrementAndGet() <= 90) {
                        try (Lease lease = lock.acquire(LIMIT)) {
                            worst = Math.max(worst, inside.incrementAndGet());
                            lease.ensureHeld();
                            inside.decrementAndGet();
                        }
                    }
                    return worst;
                }));
            }
        }
        for (CompletableFuture<Integer> one : all) {
            assertThat(one.get(60, TimeUnit.SECONDS)).isLessThanOrEqualTo(1);
        }
        assertThat(exists(name)).isFalse();
    }

    @Test
    void onlyTheHolderReleases() throws Exception {
        String name = name();
        Lease lease = scriptFree()
                .lock(name, LockFormat.plain())
                .with(unrenewed(20_000))
                .acquire();
        server().command("SET", name, "theirs", "PX", "60000");
        assertThatThrownBy(lease::release)
                .isInstanceOf(LeaseLostException.class)
                .extracting(e -> ((LeaseLostException) e).lossCause())
                .isEqualTo(LossCause.TAKEN_OVER);
        assertThat(value(name)).isEqualTo("theirs");
    }

    @Test
    void aLockThatIsNotRenewedIsFreeAtItsEndAndItsHolderIsNotified() throws Exception {
        String name = name();
        CompletableFuture<LossEvent> lost = new CompletableFuture<>();
        Lease first =
                scriptFree().lock(name, LockFormat.plain()).with(unrenewed(300)).acquire();
        first.onLost(lost::complete);
        try (Lease second =
                scriptFree().lock(name, LockFormat.plain()).with(lease(20_000)).acquire(LIMIT)) {
            assertThat(first.isHeld()).isFalse();
            await().until(lost::isDone);
            assertThat(lost.join().cause()).isEqualTo(LossCause.EXPIRED);
            second.ensureHeld();
        }
    }

    @Test
    void leasesAreRenewedAndExtendedAndNothingShortensThem() throws Exception {
        Leasehold client = scriptFree();
        String prefix = name();
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            leases.add(client.lock(prefix + ":" + i, LockFormat.plain())
                    .with(lease(1500))
                    .acquire());
        }
        long begun = serverMicros();
        assertThat(leases.get(0).extend(Duration.ofSeconds(60))).isTrue();
        await().until(() -> serverMicros() - begun > 2_500_000);
        assertThat(leases).allSatisfy(Lease::ensureHeld);
        assertThat(left(prefix + ":0")).isBetween(50_000L, 61_000L);
        assertThat(leases.get(0).remaining()).isGreaterThan(Duration.ofSeconds(50));
        for (Lease lease : leases) {
            lease.release();
        }
    }

    @Test
    void aLossIsReportedAtTheNextRenewalAndAnotherHoldersKeyIsUnchanged() throws Exception {
        String name = name();
        Leasehold client = scriptFree();
        CompletableFuture<LossEvent> deleted = new CompletableFuture<>();
        CompletableFuture<LossEvent> taken = new CompletableFuture<>();
        Lease first =
                client.lock(name + "d", LockFormat.plain()).with(lease(6000)).acquire();
        Lease second =
                client.lock(name + "t", LockFormat.plain()).with(lease(6000)).acquire();
        first.onLost(deleted::complete);
        second.onLost(taken::complete);
        server().command("DEL", name + "d");
        server().command("SET", name + "t", "theirs");
        await().until(() -> deleted.isDone() && taken.isDone());
        assertThat(List.of(first, second)).noneMatch(Lease::isHeld);
        assertThat(deleted.join().cause()).isEqualTo(LossCause.DELETED);
        assertThat(taken.join().cause()).isEqualTo(LossCause.TAKEN_OVER);
        assertThat(exists(name + "d")).isFalse();
        assertThat(value(name + "t")).isEqualTo("theirs");
        assertThat(left(name + "t")).isEqualTo(-1);
    }

    /** Matches the end of the transaction with the change: before each poll there is an empty transaction. */
    private static Predicate<String> execBehind(String change) {
        AtomicBoolean begun = new AtomicBoolean();
        return request -> {
            if (request.startsWith(change)) {
                begun.set(true);
            }
            return begun.get() && request.startsWith("EXEC");
        };
    }

    @Test
    void anAcquireWhoseReplyIsLostFindsItsOwnHoldAndAReleaseWhoseReplyIsLostHasReleased() throws Exception {
        String name = name();
        FaultProxy proxy = proxy();
        DistributedLock lock =
                scriptFree(proxy, 2000).lock(name, LockFormat.plain()).with(unrenewed(20_000));
        lock.inspect();
        Fault acquired = proxy.matching(execBehind("SET")).dropNextReplyThenReset();
        // Sooner than the hold of the first attempt would end.
        Lease lease = lock.acquire(Duration.ofSeconds(10));
        assertThat(acquired.count()).isEqualTo(1);
        assertThat(value(name)).startsWith(lease.owner());
        lease.ensureHeld();
        Fault released = proxy.matching(execBehind("DEL")).dropNextReplyThenReset();
        lease.release();
        assertThat(released.count()).isEqualTo(1);
        assertThat(exists(name)).isFalse();
    }

    @Test
    void anAcquireUnderWayWhenItsCallerHasLeftLeavesNoKeyHeld() throws Exception {
        // hazard 6, where Redis cannot compare its time with that of the request.
        String name = name();
        FaultProxy proxy = proxy();
        DistributedLock lock = scriptFree(proxy, 400).lock(name, LockFormat.plain());
        lock.inspect();
        proxy.matching(request -> request.startsWith("SET " + name) && request.contains(" NX "))
                .holdRequests();
        server().resetStats();
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue());
        long left = serverMicros();
        // Released without having been read: repeatedly, and for the last time when the request is late.
        await().until(() -> serverMicros() - left > 600_000 && count("del") >= 1);
        long transactions = count("exec");
        proxy.heal();
        await().until(() -> proxy.held(Direction.TO_SERVER) == 0 && count("exec") > transactions);
        assertThat(exists(name)).isFalse();
    }

    private long count(String command) {
        return server().commandCounts().getOrDefault(command, 0L);
    }

    @Test
    void aWaiterPollsAndAcquiresTheLockWhenItIsFree() throws Exception {
        String name = name();
        Leasehold client = scriptFree();
        Lease held = client.lock(name, LockFormat.plain()).acquire();
        CompletableFuture<Lease> waiting = waiter(client.lock(name, LockFormat.plain()));
        held.release();
        granted(waiting).release();
        assertThat(list(server().command("PUBSUB", "CHANNELS"))).isEmpty();
    }

    @Test
    void whatIsNoStringIsRefusedAndLeftAsItIs() {
        String name = name();
        DistributedLock lock = scriptFree().lock(name, LockFormat.plain());
        server().command("HSET", name, "some", "thing");
        for (Runnable use : List.<Runnable>of(lock::tryAcquire, lock::inspect, lock::forceRelease)) {
            assertThatThrownBy(use::run).isInstanceOf(ForeignKeyException.class).hasMessageContaining("hash");
        }
        assertThat(server().command("HGET", name, "some")).isEqualTo("thing");
    }

    @TestFactory
    Stream<DynamicTest> allElseIsRefusedWithTheReasonBeforeAnythingIsSent() {
        Leasehold client = scriptFree();
        LockOptions replicated =
                LockOptions.builder().replicas(1, Duration.ofMillis(100)).build();
        server().resetStats();
        return Stream.of(
                refused("lock(name)", () -> client.lock("x")),
                refused("fairLock(name)", () -> client.fairLock("x")),
                refused("readWriteLock(name)", () -> client.readWriteLock("x")),
                refused("semaphore(name, permits)", () -> client.semaphore("x", 2)),
                refused("allOf(names)", () -> client.allOf("x", "y")),
                refused("resume(exported)", () -> client.resume("x")),
                refused("resumeAsync(exported)", () -> client.resumeAsync("x")),
                refused("latch(name)", () -> client.latch("x")),
                refused("leaderElection(name)", () -> client.leaderElection("x")),
                refused("inspector().locks()", () -> client.inspector().locks()),
                refused("inspector().find(name)", () -> client.inspector().find("x")),
                DynamicTest.dynamicTest(
                        "replicas",
                        () -> assertThatThrownBy(() ->
                                        client.lock("x", LockFormat.plain()).with(replicated))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("replicas(1, PT0.1S)")
                                .hasMessageContaining("Scripts.NONE")),
                DynamicTest.dynamicTest(
                        "nothing was sent",
                        () -> assertThat(server().commandCounts()).doesNotContainKeys("watch", "evalsha")));
    }

    private static DynamicTest refused(String what, ThrowingCallable use) {
        return DynamicTest.dynamicTest(
                what,
                () -> assertThatThrownBy(use)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageStartingWith(what + " is refused")
                        .hasMessageContaining("Scripts.NONE")
                        .hasMessageContaining("lock(name, LockFormat.plain())"));
    }

    @Test
    void aUserWithoutScriptRightsIsToldTheOptionAndTheMissingRights() {
        Leasehold scripted = client(server().uri(USER, "p"), builder -> {});
        assertThatThrownBy(() -> scripted.lock(name(), LockFormat.plain()).tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("scripts(Scripts.NONE)");
        assertThat(rights(scripted).remedy()).contains("scripts(Scripts.NONE)");
        Leasehold bare = client(
                server().uri(USER, "p"),
                builder -> builder.scripts(Scripts.NONE).preflight(Preflight.WARN));
        assertThat(rights(bare).level()).isEqualTo(Finding.Level.FINE);
        server().command("ACL", "SETUSER", USER, "-multi");
        assertThat(rights(bare).level()).isEqualTo(Finding.Level.DANGER);
        String name = name();
        assertThatThrownBy(() -> bare.lock(name, LockFormat.plain()).tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("multi");
        assertThat(exists(name)).isFalse();
    }

    private static Finding rights(Leasehold client) {
        return client.inspector().diagnose().stream()
                .filter(finding -> finding.subject().equals("rights"))
                .findFirst()
                .orElseThrow();
    }
}
