/** A Redis Cluster: who owns which slot, redirections, and channels of shards. */
@NullMarked
package dev.leasehold.internal.redis.cluster;

import org.jspecify.annotations.NullMarked;
