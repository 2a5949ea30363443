package dev.leasehold.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class OwnedResourcesTest {

    private static final int BURST = 40;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** A minute, as thread pools have it by habit, left a quorum's clients with twice the threads that they had at rest. */
    @Test
    void theEventThreadsOfABurstEndSoon() throws Exception {
        OwnedResources disposal = new OwnedResources();
        Executor callbacks = disposal.callbacks("burst");
        CountDownLatch allStarted = new CountDownLatch(BURST);
        CountDownLatch released = new CountDownLatch(1);
        for (int n = 0; n < BURST; n++) {
            callbacks.execute(() -> {
                allStarted.countDown();
                awaitQuietly(released);
            });
        }
        allStarted.await();
        assertThat(eventThreads()).isEqualTo(BURST);
        released.countDown();
        await().atMost(LIMIT).until(() -> eventThreads() == 0);
        disposal.dispose();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long eventThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("burst-events"))
                .count();
    }
}
