package dev.leasehold.console.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoriesTest {

    private final Histories histories = new Histories();

    private HeldLock see(int second, long token, long leftMillis) {
        return histories
                .record(List.of(Locks.held("job", token, leftMillis)), Locks.second(second))
                .get(0);
    }

    private void seeNothing(int second) {
        histories.record(List.<LockInfo>of(), Locks.second(second));
    }

    @Test
    void aTenureLastsFromItsGrantToItsLastSight() {
        see(1, 500, 30_000);
        see(2, 500, 29_000);
        seeNothing(3);
        assertThat(histories.tenures("job"))
                .extracting(Tenure::from, Tenure::until, Tenure::held)
                .containsExactly(tuple(500L, 2_000L, false));
    }

    @Test
    void anotherTokenIsAnotherTenureAndTheNewestComesFirst() {
        see(1, 500, 30_000);
        see(2, 1_500, 30_000);
        assertThat(histories.tenures("job")).extracting(Tenure::from).containsExactly(1_500L, 500L);
        assertThat(histories.tenures("job")).extracting(Tenure::held).containsExactly(true, false);
    }

    @Test
    void remembersTheLastFiftyTenuresWithoutTheirQueues() {
        for (int i = 1; i <= 60; i++) {
            see(i, i, 30_000);
        }
        List<Tenure> tenures = histories.tenures("job");
        assertThat(tenures).hasSize(50);
        assertThat(tenures.get(49).info().fencingToken()).isEqualTo(11);
        assertThat(tenures).allMatch(tenure -> tenure.info().waiters().isEmpty());
    }

    @Test
    void forgetsTheFreeNamesThatWereHeldLongestAgo() {
        for (int i = 0; i < Histories.MOST_FREE_NAMES + 10; i++) {
            histories.record(List.of(Locks.held("lock-" + i, 1, 30_000)), Locks.second(i));
        }
        seeNothing(5_000);
        assertThat(histories.tenures("lock-9")).isEmpty();
        assertThat(histories.tenures("lock-10")).hasSize(1);
        assertThat(histories.heat(Locks.second(5_000))).hasSize(Histories.MOST_FREE_NAMES);
    }

    @Test
    void aRenewalIsLateOnlyIfTheLeaseWasRenewedBefore() {
        assertThat(see(0, 1, 30_000).late()).isFalse();
        assertThat(see(20, 1, 10_000).late()).as("never renewed").isFalse();
        assertThat(see(21, 1, 29_000).late()).isFalse();
        assertThat(see(36, 1, 14_000).late()).isTrue();
        assertThat(see(37, 1, 30_000).late()).isFalse();
        assertThat(see(50, 2, 10_000).late()).as("another tenure").isFalse();
    }

    @Test
    void theLeaseIsTheLongestTimeLeftOfTheTenure() {
        see(0, 1, 30_000);
        assertThat(see(1, 1, 29_000).lease()).isEqualTo(30_000);
        assertThat(see(2, 2, 5_000).lease()).isEqualTo(5_000);
    }

    @Test
    void theShareOfTimeHeldIsThatOfTheLastMinute() {
        seeNothing(0);
        for (int i = 1; i <= 600; i++) {
            if (i % 4 == 0) {
                see(i, i, 30_000);
            } else {
                seeNothing(i);
            }
        }
        Heat heat = histories.heat(Locks.second(600)).get(0);
        assertThat(heat.share()).isCloseTo(0.25, within(0.02));
        assertThat(heat.handOffs()).isCloseTo(0.25, within(0.02));
        for (int i = 601; i <= 1_200; i++) {
            seeNothing(i);
        }
        assertThat(histories.heat(Locks.second(1_200)).get(0).share()).isLessThan(0.001);
    }

    private Heat seeWaiters(int second, WaiterInfo... waiters) {
        histories.record(List.of(Locks.held("job", 1, 30_000, List.of(waiters))), Locks.second(second));
        return histories.heat(Locks.second(second)).get(0);
    }

    @Test
    void quantilesAreOfTheWaitsThatRefreshesSaw() {
        assertThat(seeWaiters(0).median()).isNull();
        Heat both = seeWaiters(10, Locks.waiter(0), Locks.waiter(7));
        assertThat(both.median()).isEqualTo(Duration.ofSeconds(3));
        assertThat(both.tail()).isEqualTo(Duration.ofSeconds(10));
        seeWaiters(12, Locks.waiter(7));
        seeNothing(20);
        Heat ended = histories.heat(Locks.second(20)).get(0);
        assertThat(ended.median()).as("last seen after five seconds").isEqualTo(Duration.ofSeconds(5));
        assertThat(ended.tail()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void quantilesForgetAllButTheLastHundredWaits() {
        seeWaiters(1_000, Locks.waiter(0));
        for (int i = 1; i <= Waits.MOST_ENDED; i++) {
            seeWaiters(1_000 + i, Locks.waiter(1_000 + i - 1));
        }
        assertThat(seeWaiters(2_000).tail()).isEqualTo(Duration.ofSeconds(1));
    }
}
