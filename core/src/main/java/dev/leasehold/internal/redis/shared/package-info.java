/** Paths over a connection that all callers share; subscriptions have one over every client. */
@NullMarked
package dev.leasehold.internal.redis.shared;

import org.jspecify.annotations.NullMarked;
