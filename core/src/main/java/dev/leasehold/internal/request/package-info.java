/**
 * Sends requests to Redis and waits for their answers: operations as state machines, the drivers that run them, and
 * the senders of batches. It uses clocks and the store, and knows nothing of leases. Begin to read with {@link
 * dev.leasehold.internal.request.Operation}.
 */
@NullMarked
package dev.leasehold.internal.request;

import org.jspecify.annotations.NullMarked;
