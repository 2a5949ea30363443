/**
 * The ports of Leasehold: the interfaces that a Redis client, a timer and a clock must implement. Adapters implement
 * them; applications only pass them to {@link dev.leasehold.LeaseholdBuilder}.
 */
@NullMarked
package dev.leasehold.spi;

import org.jspecify.annotations.NullMarked;
