/**
 * Reads locks and latches for people, and takes a lock away from its holder. It uses requests, and the messages of
 * leases. Begin to read with {@link dev.leasehold.internal.inspection.Inspection}.
 */
@NullMarked
package dev.leasehold.internal.inspection;

import org.jspecify.annotations.NullMarked;
