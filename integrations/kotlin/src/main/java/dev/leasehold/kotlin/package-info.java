/**
 * Leases for coroutines: {@code withLease} runs a suspending block under a lease, {@code leasedFlow} makes a flow that holds
 * a lock while it is collected, and listeners of a lease may suspend.
 */
@NullMarked
package dev.leasehold.kotlin;

import org.jspecify.annotations.NullMarked;
