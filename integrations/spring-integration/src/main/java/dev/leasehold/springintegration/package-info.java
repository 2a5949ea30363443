/**
 * A lock registry for Spring Integration: {@link dev.leasehold.springintegration.LeaseholdLockRegistry}.
 */
@NullMarked
package dev.leasehold.springintegration;

import org.jspecify.annotations.NullMarked;
