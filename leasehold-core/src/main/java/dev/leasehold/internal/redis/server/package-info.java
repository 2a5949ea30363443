/**
 * One server over the connections of a client: paths for calls, batches and waits for replicas, dialogues, and
 * subscriptions. Begin to read with {@link dev.leasehold.internal.redis.server.PathFactory}.
 */
@NullMarked
package dev.leasehold.internal.redis.server;

import org.jspecify.annotations.NullMarked;
