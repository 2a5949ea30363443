package dev.leasehold.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a contract that every build runs over each adapter, wherever Redis runs. {@code mvn verify} runs the others over
 * Lettuce on one server; {@code mvn verify -Pfull} runs all of them over each adapter, wherever they apply.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Smoke {}
