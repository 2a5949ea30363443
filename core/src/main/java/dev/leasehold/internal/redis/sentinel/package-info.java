/** The primary that Sentinels name. */
@NullMarked
package dev.leasehold.internal.redis.sentinel;

import org.jspecify.annotations.NullMarked;
