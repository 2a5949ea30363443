/**
 * Reads locks and latches for people. It uses requests, and the messages of leases. Begin to read with {@link dev.leasehold.internal.inspection.Inspection}.
 */
@NullMarked
package dev.leasehold.internal.inspection;

import org.jspecify.annotations.NullMarked;
