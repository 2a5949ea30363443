package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults of servers and processes while a slot moves. */
class SlotMigrationFaultsContract extends MovingSlotBase {

    /** How long a lease lasts that nobody renews. */
    private static final Duration BRIEF = Duration.ofSeconds(3);

    /** Ends what a test has begun: a failover, for one, ends a migration on one side only. */
    @AfterEach
    void healServers() {
        cluster.nodes().forEach(node -> {
            node.command("CLIENT", "UNPAUSE");
            node.command("CONFIG", "SET", "maxmemory", "0");
        });
        cluster.primaries().forEach(node -> node.command("CLUSTER", "SETSLOT", Integer.toString(slot), "STABLE"));
    }

    private Lease held(String name) {
        return acquired(leasehold.lock(name).with(RENEWED));
    }

    private static CompletableFuture<LossEvent> lossOf(Lease lease) {
        CompletableFuture<LossEvent> lost = new CompletableFuture<>();
        lease.onLost(lost::complete);
        return lost;
    }

    @Test
    void aFailoverOfTheSourceKeepsTheHoldsThatItStillHas() {
        String name = nextName();
        Lease held = held(name);
        beginMigration();
        cluster.elect(from);
        awaitRenewals(List.of(name));
        assertBusy(other.lock(name));
        held.release();
        above(held, acquired(other.lock(name))).release();
        assertThat(losses).isEmpty();
    }

    @Test
    void aFailoverOfTheSourceReportsTheLossOfHoldsThatHaveMoved() {
        // Redis 7 does not tell replicas that a slot moves: the new primary takes a key that it lacks for a free lock.
        // Other servers may, and then it is none.
        String name = nextName();
        Lease held = held(name);
        CompletableFuture<LossEvent> lost = lossOf(held);
        beginMigration();
        moveKeys();
        String known = String.valueOf(cluster.elect(from).command("CLUSTER", "NODES"));
        if (known.contains("[" + slot + "->-")) {
            awaitRenewals(List.of(name));
            assertBusy(other.lock(name));
            held.release();
        } else {
            assertThat(answer(lost).cause()).isIn(LossCause.DELETED, LossCause.TAKEN_OVER);
        }
        above(held, acquired(other.lock(name))).release();
    }

    @Test
    void dataThatTheTargetLosesAreReportedByTheNextRenewal() {
        String name = nextName();
        Lease held = held(name);
        CompletableFuture<LossEvent> lost = lossOf(held);
        beginMigration();
        moveKeys();
        CompletionStage<Lease> waiter = waiting(name, other.lock(name)::acquireAsync);
        to.command("FLUSHALL");
        assertThat(answer(lost).cause()).isIn(LossCause.DELETED, LossCause.TAKEN_OVER);
        above(held, answer(waiter)).release();
        finishMigration();
    }

    @Test
    void aFullTargetRefusesNewLocksAndTheSourceKeepsTheOldOnes() {
        String name = nextName();
        String fresh = nextName();
        Lease held = held(name);
        beginMigration();
        to.command("CONFIG", "SET", "maxmemory", "1");
        assertThatThrownBy(this::moveKeys).hasMessageContaining("OOM");
        awaitRenewals(List.of(name));
        failure(other.lock(fresh).tryAcquireAsync(), RedisOutOfMemoryException.class);
        assertBusy(other.lock(name));
        to.command("CONFIG", "SET", "maxmemory", "0");
        moveKeys();
        to.command("CONFIG", "SET", "maxmemory", "1");
        awaitRenewals(List.of(name));
        held.release();
        to.command("CONFIG", "SET", "maxmemory", "0");
        above(held, acquired(other.lock(name))).release();
        acquired(other.lock(fresh)).release();
        finishMigration();
        assertThat(losses).isEmpty();
    }

    @Test
    void aTargetThatIsSilentCostsNoLeaseThatOutlastsIt() {
        String name = nextName();
        Lease held = held(name);
        beginMigration();
        moveKeys();
        Leasehold hasty = closing(hasty().build());
        to.command("CLIENT", "PAUSE", "600000", "WRITE");
        failure(hasty.lock(nextName()).tryAcquireAsync(), LockUnavailableException.class);
        failure(hasty.lock(name).tryAcquireAsync(), LockUnavailableException.class);
        to.command("CLIENT", "UNPAUSE");
        awaitRenewals(List.of(name));
        assertBusy(other.lock(name));
        finishMigration();
        awaitRenewals(List.of(name));
        held.release();
        assertThat(losses).isEmpty();
    }

    @Test
    void aHoldThatNobodyRenewsEndsInItsTimeThoughItHasMoved() throws Exception {
        String frozen = nextName();
        String killed = nextName();
        String unrenewed = nextName();
        String limited = nextName();
        HolderProcess freezing = closing(HolderProcess.start(cluster.uri(), frozen, BRIEF));
        HolderProcess dying = closing(HolderProcess.start(cluster.uri(), killed, BRIEF));
        LockOptions brief = LockOptions.builder().leaseTime(BRIEF).build();
        Lease first = acquired(leasehold
                .lock(unrenewed)
                .with(brief.toBuilder().renewal(Renewal.none()).build()));
        Lease second = acquired(leasehold
                .lock(limited)
                .with(brief.toBuilder().maxHold(Duration.ofMillis(1)).build()));
        CompletableFuture<LossEvent> ofSecond = lossOf(second);
        beginMigration();
        freezing.freeze();
        dying.kill();
        moveKeys();
        List<Lease> next = Stream.of(frozen, killed, unrenewed, limited)
                .map(name -> other.lock(name).acquireAsync(LIMIT))
                .toList()
                .stream()
                .map(TransportCalls::answer)
                .toList();
        assertThat(next.get(0).fencingToken()).isGreaterThan(freezing.token());
        assertThat(next.get(1).fencingToken()).isGreaterThan(dying.token());
        above(first, next.get(2));
        above(second, next.get(3));
        assertThat(first.isHeld()).isFalse();
        assertThat(answer(ofSecond).cause()).isEqualTo(LossCause.EXPIRED);
        freezing.thaw();
        assertThat(freezing.ask("losses")).isEqualTo("losses 1");
        assertThat(freezing.ask("held")).isEqualTo("held false");
        finishMigration();
        next.forEach(Lease::release);
        assertNothingLeft();
    }

    @Test
    void nothingIsCombinedInACluster() {
        Wiretap wire = wire();
        Set<String> scripts = ConcurrentHashMap.newKeySet();
        wire.all((call, go) -> {
            scripts.add(call.script().name());
            return go.get();
        });
        Leasehold client = client(wire);
        List<String> names = Stream.generate(this::nextName).limit(20).toList();
        for (Runnable step : List.<Runnable>of(() -> {}, this::beginMigration, this::finishMigration)) {
            step.run();
            names.stream().map(name -> client.lock(name).acquireAsync()).toList().stream()
                    .map(TransportCalls::answer)
                    .toList()
                    .forEach(Lease::release);
        }
        assertThat(scripts).contains("acquire_free", "release").doesNotContain("combined");
    }
}
