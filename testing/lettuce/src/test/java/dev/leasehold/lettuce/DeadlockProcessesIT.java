package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.tck.TakerProcess;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deadlocks over several processes. */
@WithRedis
class DeadlockProcessesIT {

    private final EmbeddedRedis redis;
    private final List<TakerProcess> takers = new ArrayList<>();
    private Leasehold observer;

    DeadlockProcessesIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void open() {
        redis.command("FLUSHALL");
        observer = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void close() {
        takers.forEach(TakerProcess::close);
        observer.close();
    }

    /** Starts so many processes, each of which holds one lock and will wait for that of the next. */
    private void ring(int size) {
        for (int i = 0; i < size; i++) {
            takers.add(TakerProcess.start(redis.uri(), "lock " + i, "lock " + (i + 1) % size));
        }
    }

    private List<Deadlock> deadlocks() {
        return Diagnostics.of(observer).deadlocks();
    }

    /** A process that answers late makes a deadlock only possible for a moment. */
    private Deadlock untilDeadlocked(boolean certain) {
        return await().atMost(Duration.ofMinutes(1))
                .pollInSameThread()
                .until(
                        this::deadlocks,
                        found -> found.size() == 1 && found.get(0).certain() == certain)
                .get(0);
    }

    @Test
    void aRingOfProcessesIsOneDeadlockAsSoonAsTheLastOneWaits() {
        int size = 3;
        ring(size);
        for (TakerProcess taker : takers.subList(1, size)) {
            taker.take();
        }
        await().atMost(Duration.ofMinutes(1))
                .pollInSameThread()
                .until(() -> Diagnostics.of(observer).waitGraph().waits().size() == size - 1);
        assertThat(deadlocks()).isEmpty();
        takers.get(0).take();
        Deadlock deadlock = untilDeadlocked(true);
        assertThat(deadlock.cycle()).hasSize(size);
        Set<Long> processes = deadlock.cycle().stream()
                .map(LockWait::waiter)
                .map(LockParty::pid)
                .collect(Collectors.toSet());
        assertThat(processes).hasSize(size);
        assertThat(deadlock.stacks().values())
                .hasSize(size)
                .allSatisfy(stack -> assertThat(stack).anyMatch(frame -> frame.contains(TakerProcess.class.getName())));
    }

    /** Redis knows the names of its threads, and nobody knows whether it is the same thread. */
    @Test
    void aFrozenProcessDoesNotAnswerAndMakesTheDeadlockOnlyPossible() throws Exception {
        ring(2);
        takers.forEach(TakerProcess::take);
        untilDeadlocked(true);
        takers.get(0).freeze();
        Deadlock deadlock = untilDeadlocked(false);
        assertThat(deadlock.stacks()).hasSize(1);
        await().untilAsserted(() -> {
            WaitGraph graph = Diagnostics.of(observer).waitGraph();
            assertThat(graph.silent()).hasSize(1);
            assertThat(graph.waits())
                    .extracting(wait -> wait.waiter().thread())
                    .containsExactlyInAnyOrder("taker of lock 0", "taker of lock 1");
        });
    }
}
