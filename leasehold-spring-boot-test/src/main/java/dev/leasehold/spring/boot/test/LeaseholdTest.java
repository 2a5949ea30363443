package dev.leasehold.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * A test of beans with {@link dev.leasehold.spring.Lock}, which it names by {@code @Import}: nothing else of the application is started, and
 * no server. There are a {@link dev.leasehold.testkit.ManualClock}, whose time only the test moves, and an
 * {@link dev.leasehold.testkit.InMemoryLeasehold} in that time, which runs the real scripts and has a line for every fault.
 *
 * <p>Tests with the same beans share one context, and so its locks: what one test leaves held, the next finds held.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@SpringBootTest(classes = InMemoryLocks.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
public @interface LeaseholdTest {}
