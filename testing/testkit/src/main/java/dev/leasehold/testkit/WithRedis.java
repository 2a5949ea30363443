package dev.leasehold.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts one {@link EmbeddedRedis} with the default settings for a test class and passes it to the constructor and
 * the methods that have a parameter of that type. The server has a random password, which
 * {@link EmbeddedRedis#uri()} contains. Before each test it is made usable again, and emptied, as
 * {@link EmbeddedRedisExtension} describes. Nested classes use the server of the enclosing class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(WithRedisExtension.class)
public @interface WithRedis {

    /** Specifies whether all keys are deleted before each test. Default: true. */
    boolean flush() default true;
}
