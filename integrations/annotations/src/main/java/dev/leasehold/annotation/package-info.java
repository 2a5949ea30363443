/**
 * Methods that run under a lock, in any framework: {@link dev.leasehold.annotation.Lock}.
 *
 * <p>Applications use the annotation, {@link dev.leasehold.annotation.CurrentLease} and
 * {@link dev.leasehold.annotation.ReactiveCurrentLease}. The adapter of a framework reads each annotated method once by
 * {@link dev.leasehold.annotation.LockReader}, for which it implements {@link dev.leasehold.annotation.LockDialect}, and
 * runs its calls by {@link dev.leasehold.annotation.LockedCalls}, for which it implements
 * {@link dev.leasehold.annotation.CallEnvironment} and {@link dev.leasehold.annotation.LockedInvocation}.
 */
@NullMarked
package dev.leasehold.annotation;

import org.jspecify.annotations.NullMarked;
