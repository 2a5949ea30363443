package dev.leasehold.architecture.planted.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The role of a class below {@code planted} for the rules. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Plays {
    String module() default "leasehold-core";

    boolean test() default false;
}
