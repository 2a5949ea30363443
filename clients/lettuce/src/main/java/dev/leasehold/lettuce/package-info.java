/**
 * Leasehold over Lettuce. {@link dev.leasehold.lettuce.LettuceTransport} is the only class an application needs, and
 * only if it lends a client of its own.
 */
@NullMarked
package dev.leasehold.lettuce;

import org.jspecify.annotations.NullMarked;
