package dev.leasehold.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts one {@link EmbeddedSentinel} for a test class and passes it to the constructor and the methods that have a
 * parameter of that type. The servers share a random password, which {@link EmbeddedSentinel#uri()} contains; the
 * sentinels have none. Before each test its servers and sentinels are made usable again: paused ones are
 * resumed, killed ones restarted, and all are emptied once they have their roles. The primary remains the one that
 * the last test left. Nested classes use the group of the enclosing class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WithRedisSentinelExtension.class)
public @interface WithRedisSentinel {

    /** The number of replicas, 1 to 5. Default: 2. */
    int replicas() default 2;

    /** The number of sentinels, 1 to 5. Default: 3. */
    int sentinels() default 3;

    /**
     * The time in milliseconds without an answer after which a sentinel considers a server down, 100 or more.
     * Default: 2,000.
     */
    long downAfterMillis() default 2_000;
}
