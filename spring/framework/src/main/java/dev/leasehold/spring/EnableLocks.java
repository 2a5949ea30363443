package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Enables {@link Lock} for all beans of the context; placed on a configuration class. Requires one
 * {@link dev.leasehold.Leasehold} bean, or a primary one. A bean of the type {@link dev.leasehold.LockOptions} supplies
 * the options that the annotation omits; it should be the client's defaults. The Boot starter does all of this
 * automatically.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Import(LockRegistrar.class)
public @interface EnableLocks {

    /**
     * The order of the lock among the interceptors of a method: a lower order is further outside. The default is
     * outside of transactions, which are innermost by default.
     *
     * @return the order
     */
    int order() default Ordered.LOWEST_PRECEDENCE - 1000;

    /**
     * Selects proxies by subclass for all beans, also for beans with interfaces.
     *
     * @return true for subclasses
     */
    boolean proxyTargetClass() default false;
}
