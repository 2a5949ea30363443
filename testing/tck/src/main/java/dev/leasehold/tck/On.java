package dev.leasehold.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the topologies of a contract that starts servers of its own. The other contracts run on all but those of {@link Except}. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@interface On {

    /** The topologies. */
    Topology[] value();

    /** Whether only an adapter that makes clients itself can keep the contract. */
    boolean withConnectors() default false;

    /** Whether only an adapter whose credentials may change can keep the contract. */
    boolean withCredentials() default false;
}
