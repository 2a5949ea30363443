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
 * parameter of that type. Before each test its servers and sentinels are made usable again: let go if they were paused,
 * started anew if they were killed, and emptied, once all have their places. Who is the primary stays as the last test left
 * it. Nested classes use the group of the class around them.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WithRedisSentinelExtension.class)
public @interface WithRedisSentinel {

    /** The number of replicas, 1 to 5; 2 by default. */
    int replicas() default 2;

    /** The number of sentinels, 1 to 5; 3 by default. */
    int sentinels() default 3;

    /** After how many milliseconds without an answer a sentinel takes a server for down, 100 or more; 2,000 by default. */
    long downAfterMillis() default 2_000;
}
