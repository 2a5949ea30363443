/** Leasehold over Jedis; see {@link dev.leasehold.jedis.JedisTransport}. */
@NullMarked
package dev.leasehold.jedis;

import org.jspecify.annotations.NullMarked;
