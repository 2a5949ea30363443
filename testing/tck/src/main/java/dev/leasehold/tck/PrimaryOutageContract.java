package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases in a cluster after one of its primaries has failed. */
class PrimaryOutageContract extends ClusterLeases {

    /** The kinds of failure of a server. */
    enum End {
        STOPPED,
        KILLED;

        private void begin(EmbeddedRedis server) {
            if (this == STOPPED) {
                server.pause();
            } else {
                server.kill();
            }
        }

        private void end(EmbeddedRedis server) {
            if (this == STOPPED) {
                server.resume();
            } else {
                server.restart();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPrimaryThatIsGoneCostsItsOwnLeasesAndNoOthers(End end) {
        // finding 15: one node that does not answer must not delay the renewals of the others.
        Map<EmbeddedRedis, List<String>> names = names(20);
        EmbeddedRedis dead = cluster.nodes().get(1);
        List<String> doomed = names.remove(dead);
        List<String> healthy = names.values().stream().flatMap(List::stream).toList();
        Map<String, Lease> leases = healthy.stream().collect(Collectors.toMap(name -> name, name -> acquire(name)));
        LockOptions brief =
                LockOptions.builder().leaseTime(Duration.ofSeconds(2)).build();
        doomed.forEach(
                name -> leases.put(name, lock(name).with(brief).tryAcquire().orElseThrow()));

        end.begin(dead);
        await().atMost(LIMIT).until(() -> losses.size() >= doomed.size());
        assertThat(losses).containsOnlyKeys(doomed);
        assertThat(losses.values()).extracting(LossEvent::cause).containsOnly(LossCause.UNCONFIRMED);
        assertThat(doomed).allMatch(name -> !of(name, leases).isHeld());
        healthy.forEach(name -> renewals(name).set(0));
        await().atMost(LIMIT)
                .until(() -> healthy.stream().allMatch(name -> renewals(name).get() >= 2));
        healthy.forEach(name -> of(name, leases).ensureHeld());
        use(healthyName(dead));
        healthy.forEach(name -> of(name, leases).release());
        assertThat(losses).hasSameSizeAs(doomed);

        end.end(dead);
        cluster.awaitHealthy();
        doomed.forEach(name -> acquire(name).close());
    }

    private static Lease of(String name, Map<String, Lease> leases) {
        return Objects.requireNonNull(leases.get(name), name);
    }

    private String healthyName(EmbeddedRedis dead) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> name())
                .filter(name -> cluster.nodeOf(ContractBase.key(name)) != dead)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aClientIsOpenedWhileAPrimaryIsGone() {
        EmbeddedRedis dead = cluster.nodes().get(2);
        dead.pause();
        leasehold.close();
        // With this timeout, a client that waited for the silent node would not be open in time.
        CompletableFuture<Leasehold> opened = CompletableFuture.supplyAsync(() -> builder()
                .connectTimeout(LIMIT.multipliedBy(2))
                .commandTimeout(LIMIT.multipliedBy(2))
                .preflight(Preflight.REFUSE)
                .build());
        await().atMost(LIMIT).until(opened::isDone);
        leasehold = opened.join();
        use(healthyName(dead));
        assertThat(Diagnostics.of(leasehold).findings())
                .filteredOn(finding -> finding.subject().equals("node"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
                    assertThat(finding.text()).startsWith("127.0.0.1:" + dead.port());
                });
        assertThat(Diagnostics.of(leasehold).findings())
                .filteredOn(finding -> finding.subject().equals("rights"))
                .extracting(Finding::level)
                .containsExactly(Finding.Level.FINE);
        dead.resume();
    }
}
