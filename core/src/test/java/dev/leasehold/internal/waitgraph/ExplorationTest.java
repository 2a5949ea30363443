package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One thread that waits to read a lock, which another reader holds and for which a writer waits. */
class ExplorationTest {

    private static final String PROCESS = "17@host";
    private static final LockKey KEY = new LockKey("lh:{a}");
    private static final Holder HOLDER = new Holder(PROCESS, "thread", "");
    private static final InspectLock.Waiting WRITER = new InspectLock.Waiting(false, 0, true, null, HOLDER, null);

    private static List<Contender> holdersOf(InspectLock.State lock) {
        LeaseEntry reader = new LeaseEntry(
                true,
                "l",
                LeaseEntry.nameOf("mine"),
                KEY.key(),
                LockKind.STANDARD,
                WaiterInfo.Wants.READ,
                1,
                2,
                "t2",
                "");
        WaitSource source = new WaitSource() {
            @Override
            public Map<String, List<WaitReport>> ask(Collection<String> asked, Map<String, Set<Long>> threads) {
                return Map.of(PROCESS, List.of(new WaitReport(PROCESS, List.of(reader), Map.of(), ReportProofs.NONE)));
            }

            @Override
            public Map<LockKey, InspectLock.State> read(Collection<LockKey> keys) {
                return Map.of(KEY, lock);
            }
        };
        return new Exploration(source, Map.of())
                .from(List.of(PROCESS), List.of(KEY))
                .get(0)
                .holders();
    }

    private static InspectLock.State readBy(List<InspectLock.Waiting> queue, String... holds) {
        return new InspectLock.State(
                OwnerKey.read(OwnerKey.READERS),
                List.of(holds).stream()
                        .map(id -> new InspectLock.Hold(OwnerKey.read(id), null, 1, 1, HOLDER))
                        .toList(),
                0,
                false,
                false,
                0,
                false,
                queue,
                "");
    }

    @Test
    void waitsBehindTheWriter() {
        assertThat(holdersOf(readBy(List.of(WRITER), "other"))).hasSize(1);
    }

    @Test
    void entersBesideTheOtherReader() {
        assertThat(holdersOf(readBy(List.of(), "other"))).isEmpty();
    }

    @Test
    void waitsForNobodyIfItsGrantIsOnTheWay() {
        assertThat(holdersOf(readBy(List.of(WRITER), "other", "mine"))).isEmpty();
    }
}
