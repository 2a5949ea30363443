package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Processes that are killed, or stop, at moments at which their client is about to give a lock back. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class DyingClientContract extends ContractBase {

    private static final Duration BRIEF = Duration.ofSeconds(5);

    @Test
    void aProcessThatIsKilledWhileItClosesAndWhoseReleaseIsLostBlocksOthersForItsLeaseAtMost() throws Exception {
        String name = name();
        FaultProxy proxy = proxy();
        try (HolderProcess holder = HolderProcess.start(proxy.uri(), name, BRIEF)) {
            proxy.swallow(Direction.TO_SERVER);
            assertThat(holder.ask("shut")).isEqualTo("shut begun");
            holder.kill();
            assertThat(holds(name)).isOne();
            assertThat(holdEnd(name) - serverMicros()).isLessThanOrEqualTo(BRIEF.toNanos() / 1000);
            try (Lease next = client().lock(name).acquire(LIMIT)) {
                assertThat(next.fencingToken()).isGreaterThan(holder.token());
            }
        }
    }

    @Test
    void aProcessThatIsKilledWhileItClosesAndWhoseReleaseHasArrivedBlocksNobody() throws Exception {
        String name = name();
        FaultProxy proxy = proxy();
        // Longer than anybody waits here.
        try (HolderProcess holder = HolderProcess.start(proxy.uri(), name, Duration.ofHours(1))) {
            CompletableFuture<Lease> waiter = waiter(client().lock(name));
            untilWaiting(name, 1);
            proxy.swallow(Direction.TO_CLIENT);
            assertThat(holder.ask("shut")).isEqualTo("shut begun");
            await().until(() -> !field(name, "last").equals(Long.toString(holder.token())) || holds(name) == 0);
            holder.kill();
            assertThat(granted(waiter).fencingToken()).isGreaterThan(holder.token());
            waiter.join().close();
        }
    }

    @Test
    void aProcessThatStopsWhileItRetainsAHoldBlocksOthersForTheRetentionAtMost() throws Exception {
        String name = name();
        DistributedLock other = client().lock(name);
        AtomicLong token = new AtomicLong();
        try (HolderProcess holder = HolderProcess.startRetaining(address(), name, Duration.ofHours(1))) {
            assertThat(holder.ask("release")).isEqualTo("release ok");
            // On a busy machine it may stop too late, when nothing is retained any more.
            await().until(() -> {
                token.set(Long.parseLong(holder.ask("use").substring("use ".length())));
                holder.freeze();
                if (holds(name) == 1 && !field(name, "rt").equals("null") && holdEnd(name) > serverMicros()) {
                    return true;
                }
                holder.thaw();
                return false;
            });
            assertThat(holdEnd(name) - serverMicros()).isLessThanOrEqualTo(LockBase.RETAINED.toNanos() / 1000);
            try (Lease next = other.acquire(LIMIT)) {
                assertThat(next.fencingToken()).isGreaterThan(token.get());
            }
            holder.thaw();
        }
    }
}
