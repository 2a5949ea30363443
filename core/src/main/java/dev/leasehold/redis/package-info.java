/** Transports over the connections of a Redis client: to one server, to a cluster, or to the primary that Sentinels name. */
@NullMarked
package dev.leasehold.redis;

import org.jspecify.annotations.NullMarked;
