/** {@code withLease} for Kotlin: a block that suspends, under a lease. */
@NullMarked
package dev.leasehold.kotlin;

import org.jspecify.annotations.NullMarked;
