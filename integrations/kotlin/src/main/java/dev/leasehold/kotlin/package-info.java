/** {@code withLease} for Kotlin: runs a suspending block under a lease. */
@NullMarked
package dev.leasehold.kotlin;

import org.jspecify.annotations.NullMarked;
