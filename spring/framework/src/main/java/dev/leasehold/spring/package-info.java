/**
 * Methods of Spring beans that run under a lock: {@link dev.leasehold.annotation.Lock}, enabled by
 * {@link dev.leasehold.spring.EnableLocks}.
 */
@NullMarked
package dev.leasehold.spring;

import org.jspecify.annotations.NullMarked;
