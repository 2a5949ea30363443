/** Paths over connections that block: callers borrow one, and batches have a thread with one. */
@NullMarked
package dev.leasehold.internal.redis.blocking;

import org.jspecify.annotations.NullMarked;
