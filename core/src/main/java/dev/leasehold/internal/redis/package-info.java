/**
 * A Redis over the connections of a client: this package connects to a single server, a cluster or the primary that
 * Sentinels name, and implements the port that the engine uses. It knows nothing of locks.
 */
@NullMarked
package dev.leasehold.internal.redis;

import org.jspecify.annotations.NullMarked;
