/**
 * Renews leases before they end, confirms those in doubt, and extends them for their holders. It uses leases and
 * requests. Begin to read with {@link dev.leasehold.internal.renew.Watchdog}.
 */
@NullMarked
package dev.leasehold.internal.renew;

import org.jspecify.annotations.NullMarked;
