package dev.leasehold.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.internal.engine.LogLines;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A listener that is stuck keeps a bounded number of events and one thread, and counts right when it has caught up. */
class ListenerQueueTest {

    private static final int MOST = ListenerQueue.MOST;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ListenerQueue queue = new ListenerQueue("com.example.Slow", tasks::add);
    private final List<String> received = new ArrayList<>();

    @RegisterExtension
    final LogLines log = new LogLines("dev.leasehold.events");

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void fill() {
        for (int n = 0; n < MOST; n++) {
            queue.offer(() -> received.add("renewed"));
        }
    }

    @Test
    void eventsBeyondTheBoundAreLeftOutAndCountedWithTwoLinesInTheLog() {
        fill();
        for (int n = 0; n < 50_000; n++) {
            queue.offer(() -> received.add("more"));
        }
        assertThat(queue.size()).isEqualTo(MOST);
        assertThat(tasks).hasSize(1);
        runAll();
        assertThat(received).hasSize(MOST).containsOnly("renewed");
        assertThat(log.all())
                .containsExactly(
                        "the listener com.example.Slow is 10000 events behind: until it has received them, further events"
                                + " are left out, except losses and the ends of what was reported to it. Let its methods"
                                + " return sooner",
                        "the listener com.example.Slow has caught up; 50000 events were left out");
        queue.offer(() -> received.add("again"));
        runAll();
        assertThat(received).endsWith("again");
    }

    @Test
    void aStartThatWasLeftOutHasNoEndAndOneThatWasNotHasIt() {
        queue.start("known", () -> received.add("known acquired"));
        runAll();
        fill();
        for (int n = 0; n < 50_000; n++) {
            queue.start(n, () -> received.add("acquired"));
            queue.end(n, () -> received.add("released"));
        }
        queue.start("later", () -> received.add("later acquired"));
        queue.end("known", () -> received.add("known released"));
        assertThat(queue.size()).isEqualTo(MOST + 1);
        runAll();
        queue.end("later", () -> received.add("later released"));
        queue.end("unknown", () -> received.add("without a start"));
        runAll();
        received.removeIf("renewed"::equals);
        assertThat(received).containsExactly("known acquired", "known released", "without a start");
        assertThat(log.all()).hasSize(2).last().asString().contains("; 100001 events were left out");
    }

    @Test
    void aLossIsDeliveredThoughTheQueueIsFullAndTheStartOfItsLeaseBeforeIt() {
        fill();
        queue.start("lease", () -> received.add("acquired"));
        queue.loss("lease", () -> received.add("lost"));
        queue.end("lease", () -> received.add("after the loss"));
        runAll();
        assertThat(received.subList(MOST, received.size())).containsExactly("acquired", "lost", "after the loss");
    }

    /** The loss may be reported first: then the start, too, or a listener would count one lease less. */
    @Test
    void aStartThatWasLeftOutAfterItsEndIsDelivered() {
        fill();
        queue.loss("lease", () -> received.add("lost"));
        queue.start("lease", () -> received.add("acquired"));
        queue.queueStart("lease");
        runAll();
        assertThat(received.subList(MOST, received.size())).containsExactly("lost", "acquired");
    }

    @Test
    void lossesHaveABoundThatStandsForAListenerThatNeverReturns() {
        for (int n = 0; n < ListenerQueue.MOST_LOSSES + 10; n++) {
            queue.loss("lease", () -> {});
        }
        assertThat(queue.size()).isEqualTo(ListenerQueue.MOST_LOSSES);
    }

    @Test
    void aListenerThatBlocksOccupiesOneThreadAndDelaysNoOther() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        ListenerQueue stuck = new ListenerQueue("stuck", threads);
        ListenerQueue other = new ListenerQueue("other", threads);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger delivered = new AtomicInteger();
        for (int n = 0; n < 1_000; n++) {
            stuck.offer(() -> awaitQuietly(end));
            other.offer(delivered::incrementAndGet);
        }
        await().until(() -> delivered.get() == 1_000);
        // A delivery may begin while the thread of the last one is about to be idle.
        assertThat(((ThreadPoolExecutor) threads).getLargestPoolSize()).isLessThan(10);
        end.countDown();
        await().until(() -> stuck.size() == 0);
        threads.shutdown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void manyEventsOfOneListenerLetTheOtherTasksOfTheExecutorRun() {
        fill();
        tasks.add(() -> received.add("another task"));
        runAll();
        assertThat(received.indexOf("another task")).isBetween(1, 100);
        assertThat(received).hasSize(MOST + 1);
    }

    /** Closing the client shuts its executor down, and what was submitted before is delivered. */
    @Test
    void anExecutorThatIsShutDownMeanwhileDeliversWhatWasQueued() {
        boolean[] shutDown = {false};
        ListenerQueue closing = new ListenerQueue("listener", task -> {
            if (shutDown[0]) {
                throw new RejectedExecutionException("shut down");
            }
            tasks.add(task);
        });
        for (int n = 0; n < 1_000; n++) {
            closing.offer(() -> received.add("released"));
        }
        shutDown[0] = true;
        runAll();
        assertThat(received).hasSize(1_000);
        closing.offer(() -> received.add("too late"));
        assertThat(received).hasSize(1_000);
        shutDown[0] = false;
        closing.offer(() -> received.add("accepted again"));
        runAll();
        assertThat(received).endsWith("too late", "accepted again");
    }

    @Test
    void whatAListenerThrowsDoesNotEndTheDelivery() {
        queue.offer(() -> {
            throw new AssertionError("as a listener may");
        });
        queue.offer(() -> ListenerQueueTest.<RuntimeException>throwUndeclared());
        queue.offer(() -> received.add("the next one"));
        runAll();
        assertThat(received).containsExactly("the next one");
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void throwUndeclared() throws E {
        throw (E) new Exception("undeclared, as other languages may");
    }
}
