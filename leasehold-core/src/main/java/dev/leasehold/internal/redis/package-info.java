/**
 * A Redis over the connections of a client: scripts, redirections, Sentinels, subscriptions, pools and reconnecting. It
 * uses the port to connectors, and knows nothing of locks. Begin to read with {@link
 * dev.leasehold.internal.redis.CommandPath}.
 */
@NullMarked
package dev.leasehold.internal.redis;

import org.jspecify.annotations.NullMarked;
