package dev.leasehold.micronaut;

import io.micronaut.aop.Around;
import io.micronaut.context.annotation.Executable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has a method intercepted. Micronaut's annotation processor reads it in place of
 * {@link dev.leasehold.annotation.Lock}, if this module is on its path. Not for use in source code.
 */
@Around
@Executable
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface LockAdvice {}
