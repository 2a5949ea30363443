package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.LockWait;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Looks at simulated threads while they go on. {@code -Dleasehold.waitgraph.seeds=100000} looks at more of them, and
 * {@code -Dleasehold.waitgraph.seed} begins at another.
 */
class WaitGraphSeedsTest {

    private static final long FIRST = Long.getLong("leasehold.waitgraph.seed", 1);
    private static final long SEEDS = Long.getLong("leasehold.waitgraph.seeds", 3_000);

    @Test
    void whatIsReportedAsCertainExistedAtOneMoment() {
        int certain = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            WaitWorld world = new WaitWorld(seed);
            for (Deadlock deadlock : WaitGraphReader.graph(world, world.processes(), world.keys())
                    .deadlocks()) {
                assertThat(deadlock.certain()).as("seed %d", seed).isTrue();
                assertThat(world.existedAtOnce(edges(deadlock.cycle())))
                        .as("seed %d: %s", seed, deadlock)
                        .isTrue();
                certain++;
            }
        }
        assertThat(certain).as("deadlocks found").isGreaterThan((int) (SEEDS / 100));
    }

    /** The holder on whom the cycle goes on is the one that waits next. */
    private static Set<WaitWorld.Edge> edges(List<LockWait> cycle) {
        Set<WaitWorld.Edge> edges = new HashSet<>();
        for (int i = 0; i < cycle.size(); i++) {
            LockWait wait = cycle.get(i);
            long next = cycle.get((i + 1) % cycle.size()).waiter().threadId();
            edges.add(new WaitWorld.Edge(wait.waiter().threadId(), "lh:{" + wait.lock() + "}", next));
        }
        return edges;
    }

    @Test
    void whatExistsWhileNothingElseHappensIsFound() {
        int deadlocked = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            WaitWorld world = new WaitWorld(seed);
            world.freeze();
            assertThat(WaitGraphReader.graph(world, world.processes(), world.keys())
                            .deadlocks())
                    .as("seed %d", seed)
                    .satisfies(found -> assertThat(found.isEmpty()).isEqualTo(!world.isDeadlocked()));
            deadlocked += world.isDeadlocked() ? 1 : 0;
        }
        assertThat(deadlocked).isGreaterThan((int) (SEEDS / 100));
    }
}
