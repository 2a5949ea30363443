package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.inspect.LockInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Leases on three primaries. */
class ClusterContract extends ClusterLeases {

    @Test
    void aUriOfOneNodeIsEnoughForLocksOnAll() {
        leasehold.close();
        leasehold = Leasehold.connect(cluster.uris().get(2));
        List<Lease> leases = IntStream.range(0, 30)
                .mapToObj(i -> leasehold.lock(name()).tryAcquire().orElseThrow())
                .toList();
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat((Long) node.command("DBSIZE")).isPositive());
        assertThat(leasehold.inspector().locks())
                .extracting(LockInfo::name)
                .containsExactlyInAnyOrderElementsOf(
                        leases.stream().map(Lease::name).toList());
        leases.forEach(Lease::close);
        assertThat(leasehold.inspector().locks()).isEmpty();
    }

    @Test
    void locksOnAllPrimariesAreTakenTogether() throws Exception {
        List<String> names = names(2).values().stream().flatMap(List::stream).toList();
        List<String> reversed = new ArrayList<>(names);
        Collections.reverse(reversed);
        LockOptions renewedSoon = ContractBase.renewedSoon();
        MultiLease held = leasehold.allOf(names).with(renewedSoon).acquire();
        names.forEach(name -> awaitRenewals(name, 2));
        CompletableFuture<MultiLease> waiting =
                leasehold.allOf(reversed).acquireAsync().toCompletableFuture();
        assertThat(leasehold.allOf(names).tryAcquire()).isEmpty();
        held.release();
        await().atMost(LIMIT).until(waiting::isDone);
        assertThat(names)
                .allSatisfy(
                        name -> assertThat(waiting.join().fencingToken(name)).isGreaterThan(held.fencingToken(name)));
        waiting.join().release();
        assertThat(leasehold.inspector().locks()).isEmpty();
        assertThat(losses).isEmpty();
    }
}
