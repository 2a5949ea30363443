package dev.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * On a configuration class: {@link Lock} takes effect on all beans of the context. Needs one {@link dev.leasehold.Leasehold} bean, or
 * a primary one. A bean of the type {@link dev.leasehold.LockOptions} says what the annotation leaves open; it should be the
 * client's defaults. The Boot starter does all of this by itself.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(LockRegistrar.class)
public @interface EnableLocks {

    /**
     * Where the lock stands among the interceptors of a method: lower is further outside. The default is outside of transactions,
     * which are innermost by default.
     *
     * @return the order
     */
    int order() default Ordered.LOWEST_PRECEDENCE - 1000;

    /**
     * Whether beans are always proxied by a subclass, also if they have interfaces.
     *
     * @return true for subclasses
     */
    boolean proxyTargetClass() default false;
}
