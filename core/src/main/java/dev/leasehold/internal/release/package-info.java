/**
 * Ends leases: on behalf of their holders by release, hand-off and downgrade, and those of others by a request to release or by force.
 * It uses waiters, renewal and leases. Begin to read with {@link dev.leasehold.internal.release.ReleaseOperation}.
 */
@NullMarked
package dev.leasehold.internal.release;

import org.jspecify.annotations.NullMarked;
