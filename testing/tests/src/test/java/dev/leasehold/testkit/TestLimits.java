package dev.leasehold.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Time limits of tests: generous for events that must happen, brief for events that must not. */
final class TestLimits {

    static final Duration ANSWER = Duration.ofSeconds(20);
    static final Duration SILENCE = Duration.ofMillis(300);

    private TestLimits() {}

    static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
    }
}
