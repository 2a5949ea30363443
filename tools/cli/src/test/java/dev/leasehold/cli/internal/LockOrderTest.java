package dev.leasehold.cli.internal;

import static dev.leasehold.cli.internal.LockInfos.deadWaiter;
import static dev.leasehold.cli.internal.LockInfos.held;
import static dev.leasehold.cli.internal.LockInfos.unknown;
import static dev.leasehold.cli.internal.LockInfos.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.inspect.LockInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockOrderTest {

    private static final List<LockInfo> LOCKS = List.of(
            unknown("d"),
            held("c", 3, 10, 20, waiter(30)),
            held("b", 2, 5, 25, waiter(20), waiter(40)),
            held("a", 1, 10, 9, deadWaiter(0), waiter(25)));

    @Test
    void ordersByNameUnlessToldOtherwise() {
        assertThat(names(LockOrder.NAME)).containsExactly("a", "b", "c", "d");
    }

    @Test
    void theOldestHoldIsFirstAndAnUnknownAgeLast() {
        assertThat(names(LockOrder.AGE)).containsExactly("b", "a", "c", "d");
    }

    @Test
    void theLeaseThatEndsNextIsFirst() {
        assertThat(names(LockOrder.LEFT)).containsExactly("d", "a", "c", "b");
    }

    @Test
    void theLongestQueueIsFirstAndThenTheLongestWaitOfALiveWaiter() {
        assertThat(names(LockOrder.WAITING)).containsExactly("b", "a", "c", "d");
    }

    @Test
    void theNextOrderGoesAround() {
        assertThat(LockOrder.NAME.next()).isEqualTo(LockOrder.AGE);
        assertThat(LockOrder.WAITING.next()).isEqualTo(LockOrder.NAME);
    }

    private static List<String> names(LockOrder order) {
        return LOCKS.stream().sorted(order.comparator()).map(LockInfo::name).toList();
    }
}
