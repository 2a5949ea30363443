/**
 * Spring Integration's locks over a {@link dev.leasehold.Leasehold} client:
 * {@link dev.leasehold.springintegration.LeaseholdLockRegistry}.
 */
@NullMarked
package dev.leasehold.springintegration;

import org.jspecify.annotations.NullMarked;
