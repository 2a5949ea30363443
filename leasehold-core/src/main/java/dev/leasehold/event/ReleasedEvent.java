package dev.leasehold.event;

import java.time.Duration;

/**
 * A lease was given back: by its holder, or by the client where there is none any more, because it was closed or because
 * the caller left at the moment of the grant. A write lease that is downgraded is told as released, and the read lease as
 * acquired. Not told of one that was exported and then closed, whose hold stays.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param held for how long it had been held
 * @param confirmed whether Redis confirmed it; if not, the release is repeated in the background, and
 *     may find that the lease had been {@linkplain LossEvent#afterRelease() lost}
 */
public record ReleasedEvent(String lockName, String owner, Duration held, boolean confirmed) {}
