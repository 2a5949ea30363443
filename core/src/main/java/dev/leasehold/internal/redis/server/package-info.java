/**
 * One server with the paths to it, and the calls of scripts that are sent over them. Begin to read with {@link
 * dev.leasehold.internal.redis.server.Server}.
 */
@NullMarked
package dev.leasehold.internal.redis.server;

import org.jspecify.annotations.NullMarked;
