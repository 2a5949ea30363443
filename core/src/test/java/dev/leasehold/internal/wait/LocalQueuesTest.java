package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** An acquisition has a local queue only when it waits, or when another thread requests the queue. */
class LocalQueuesTest {

    private static final LockKey KEY = LockKey.of(EngineRig.PREFIX, "a");

    private final LocalQueues queues = new LocalQueues();

    /** Services that an entry does not need here, but for the channel of its lock and the queues. */
    private final LocalQueueEntry.Services services = (LocalQueueEntry.Services) Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {LocalQueueEntry.Services.class},
            (proxy, method, args) -> switch (method.getName()) {
                case "enqueue" -> {
                    queues.enqueue((LocalQueueEntry) args[0]);
                    yield null;
                }
                case "channelOf" -> "leasehold:w:client-1";
                case "waitingReaders" -> 0;
                default -> throw new UnsupportedOperationException(method.getName());
            });

    private LocalQueueEntry arrive(LockKey key) {
        LocalQueueEntry entry = new LocalQueueEntry(services, key, null, EngineRig.OPTIONS);
        queues.arrive(entry);
        return entry;
    }

    @Test
    void anAcquisitionThatEndsAloneNeverHadAQueue() {
        LocalQueueEntry entry = arrive(KEY);
        assertThat(queues.size()).isZero();
        assertThat(entry.first()).isTrue();
        assertThat(queues.endAlone(entry)).isTrue();
        assertThat(queues.of(KEY)).isNull();
    }

    @Test
    void aSecondAcquisitionWaitsBehindOneThatWasAlone() {
        LocalQueueEntry first = arrive(KEY);
        LocalQueueEntry second = arrive(KEY);
        assertThat(queues.endAlone(first)).isFalse();
        assertThat(queues.entries(KEY, entry -> true)).containsExactly(first, second);
        assertThat(second.first()).isFalse();
    }

    @Test
    void aThreadThatRequestsTheQueueFindsAnAcquisitionThatWasAlone() {
        LocalQueueEntry entry = arrive(KEY);
        assertThat(queues.of(KEY)).isNotNull().extracting(LocalQueue::first).isSameAs(entry);
        assertThat(queues.endAlone(entry)).isFalse();
    }

    @Test
    void allQueuesIncludeThoseOfAcquisitionsThatWereAlone() {
        LocalQueueEntry entry = arrive(KEY);
        int[] seen = {0};
        queues.forEach(queue -> seen[0] += queue.first() == entry ? 1 : 0);
        assertThat(seen[0]).isEqualTo(1);
    }

    /** Redis may wake its position before the answer that reports it arrives. */
    @Test
    void theQueueKnowsOfARequestThatWasSentBeforeItBegan() {
        LocalQueueEntry entry = arrive(KEY);
        assertThat(entry.nextWaiter(true).waits()).isTrue();
        LocalQueue queue = queues.of(KEY);
        assertThat(queue).isNotNull();
        assertThat(queue.position().claims(7)).isTrue();
    }

    @Test
    void aPauseGivesAnAcquisitionItsQueue() {
        LocalQueueEntry entry = arrive(KEY);
        assertThat(entry.outage()).isNull();
        entry.outage(new IllegalStateException("down"), 1);
        assertThat(queues.size()).isEqualTo(1);
        assertThat(entry.outage()).isNotNull();
    }

    @Test
    void locksThatShareASlotDoNotShareAQueue() {
        LocalQueueEntry alone = arrive(KEY);
        LocalQueueEntry other = null;
        for (int i = 0; queues.size() == 0; i++) {
            LocalQueueEntry next = arrive(LockKey.of(EngineRig.PREFIX, "b" + i));
            other = queues.size() == 0 ? null : next;
        }
        assertThat(other).isNotNull();
        assertThat(other.first()).isTrue();
        assertThat(queues.of(other.key())).isNotSameAs(queues.of(KEY));
        assertThat(queues.endAlone(alone)).isFalse();
    }
}
