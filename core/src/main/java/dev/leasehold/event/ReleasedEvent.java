package dev.leasehold.event;

import java.time.Duration;

/**
 * A lease was released: by its holder, or by the client if there is no holder any more, because the client was closed
 * or the caller cancelled at the moment of the grant. A downgrade reports the write lease as released, and the read
 * lease as acquired. There is no such event for a lease that was exported and then closed, because its hold stays.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param held how long it was held
 * @param confirmed whether Redis confirmed the release; if not, the release is repeated in the background, and may find
 *     that the lease was {@linkplain LossEvent#afterRelease() lost}
 */
public record ReleasedEvent(String lockName, String owner, Duration held, boolean confirmed) {}
