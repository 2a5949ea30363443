/**
 * Ends leases on behalf of their holders: release, hand-off, downgrade, and the request to others to release. It uses
 * waiters, renewal and leases. Begin to read with {@link dev.leasehold.internal.release.ReleaseOperation}.
 */
@NullMarked
package dev.leasehold.internal.release;

import org.jspecify.annotations.NullMarked;
