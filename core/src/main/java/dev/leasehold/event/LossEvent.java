package dev.leasehold.event;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease was lost.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param fencingToken the token of the lease, which a guarded resource refuses once a newer one was used; 0 for a plain
 *     lock, which has none
 * @param cause why it ended
 * @param held how long it was held
 * @param detail the last message of Redis or its client, or null
 * @param afterRelease whether it was {@linkplain LeaseholdListener#released reported as released} before, without
 *     confirmation by Redis: a listener that counts held leases has already counted its end
 */
public record LossEvent(
        String lockName,
        String owner,
        long fencingToken,
        LossCause cause,
        Duration held,
        @Nullable String detail,
        boolean afterRelease) {}
