package dev.leasehold.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts one {@link EmbeddedCluster} for a test class and passes it to the constructor and the methods that have a
 * parameter of that type. Before each test its nodes are made usable again: let go if they were paused, started anew if
 * they were killed, and emptied, once all of them serve. Slots and roles stay as the last test left them. Nested classes
 * use the cluster of the class around them.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WithRedisClusterExtension.class)
public @interface WithRedisCluster {

    /** The number of primaries, 1 to 10; 3 by default. */
    int primaries() default 3;

    /** The number of replicas of each primary, 0 to 2; none by default. */
    int replicas() default 0;

    /** Whether the other primaries serve on when one has failed; true by default, where a server's default is false. */
    boolean partly() default true;
}
