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
 * @param held for how long it had been held
 * @param detail what Redis or its client last said, or null
 * @param afterRelease whether it had been {@linkplain LeaseholdListener#released told as released} before, without Redis'
 *     confirmation: then who counts what is held has counted its end already
 */
public record LossEvent(
        String lockName,
        String owner,
        long fencingToken,
        LossCause cause,
        Duration held,
        @Nullable String detail,
        boolean afterRelease) {}
