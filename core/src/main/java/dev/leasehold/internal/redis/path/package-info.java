/**
 * What a path to a server is: it sends commands for one purpose, over one connection or several. Begin to read with
 * {@link dev.leasehold.internal.redis.path.CommandPath}.
 */
@NullMarked
package dev.leasehold.internal.redis.path;

import org.jspecify.annotations.NullMarked;
