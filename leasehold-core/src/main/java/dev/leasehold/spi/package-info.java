/**
 * The ports of Leasehold: what a Redis client, a timer and a clock must offer. Adapters implement these; applications
 * only hand them to {@link dev.leasehold.LeaseholdBuilder}.
 */
@NullMarked
package dev.leasehold.spi;

import org.jspecify.annotations.NullMarked;
