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
 * parameter of that type. The nodes share a random password, which {@link EmbeddedCluster#uri()} contains. Before each
 * test its nodes are made usable again: paused nodes are resumed, killed ones
 * restarted, and all are emptied once they serve. Slots and roles remain as the last test left them. Nested classes
 * use the cluster of the enclosing class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WithRedisClusterExtension.class)
public @interface WithRedisCluster {

    /** The number of primaries, 1 to 10. Default: 3. */
    int primaries() default 3;

    /** The number of replicas of each primary, 0 to 2. Default: none. */
    int replicas() default 0;

    /**
     * Specifies whether the other primaries continue to serve after one has failed. Default: true, where a server's
     * default is false.
     */
    boolean partly() default true;
}
