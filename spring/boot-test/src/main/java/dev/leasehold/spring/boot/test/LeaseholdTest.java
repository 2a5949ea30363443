package dev.leasehold.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * Marks a test of beans with {@link dev.leasehold.annotation.Lock}, which it imports by {@code @Import}. The test starts no
 * other part of the application and no server. The context has a {@link dev.leasehold.testkit.ManualClock}, whose time
 * only the test advances, and an {@link dev.leasehold.testkit.InMemoryLeasehold} on that clock, which runs the real
 * scripts and can inject every fault by one call.
 *
 * <p>Tests with the same beans share one context, and so its locks: a lock that one test leaves held is held in the
 * next test.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@SpringBootTest(classes = InMemoryLocks.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
public @interface LeaseholdTest {}
