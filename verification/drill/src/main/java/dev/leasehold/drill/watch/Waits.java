package dev.leasehold.drill.watch;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Waiting for conditions, with one generous limit: a slow machine makes a drill longer, and changes no verdict. */
public final class Waits {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration POLL = Duration.ofMillis(100);

    private Waits() {}

    /**
     * Waits until a condition is true.
     *
     * @param what the condition in words, for the message
     * @param condition asked ten times a second
     * @throws org.awaitility.core.ConditionTimeoutException if it is not true within five minutes
     */
    public static void until(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(LIMIT)
                .pollInterval(POLL)
                .pollDelay(Duration.ZERO)
                .until(condition);
    }

    /**
     * Lets a fault last.
     *
     * @param time how long
     * @throws InterruptedException if interrupted meanwhile
     */
    public static void pass(Duration time) throws InterruptedException {
        if (new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException();
        }
    }
}
