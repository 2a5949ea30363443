/**
 * Reads locks and latches for people, and takes a lock away from its holder. It uses requests, and the messages of
 * leases. Begin to read with {@link dev.leasehold.internal.inspect.Inspection}.
 */
@NullMarked
package dev.leasehold.internal.inspect;

import org.jspecify.annotations.NullMarked;
