/**
 * The port of the engine to the servers that keep locks: requests, their answers, and the values in both. It uses names, and
 * knows neither scripts nor connections. Begin to read with {@link dev.leasehold.internal.store.LockStore}.
 */
@NullMarked
package dev.leasehold.internal.store;

import org.jspecify.annotations.NullMarked;
