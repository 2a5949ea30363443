/**
 * Guards by which a resource refuses a holder whose lease is over: {@link dev.leasehold.fencing.JdbcFenceColumn} and
 * {@link dev.leasehold.fencing.JdbcFenceTable} in a database, {@link dev.leasehold.fencing.RedisGuard} in Redis, and
 * {@link dev.leasehold.fencing.FencingFilter} before an HTTP service.
 *
 * <p>A guard remembers the highest fencing token it has seen for a resource, and refuses lower ones with a
 * {@link dev.leasehold.fencing.StaleTokenException}. It belongs to the resource, not to the lock: it uses no lease and
 * no lock service, and works in every state of the lock.
 *
 * <p>The guards of a database need no other library. {@code RedisGuard} needs {@code leasehold-core} and a transport,
 * and the filter the servlet API of the server.
 */
@NullMarked
package dev.leasehold.fencing;

import org.jspecify.annotations.NullMarked;
