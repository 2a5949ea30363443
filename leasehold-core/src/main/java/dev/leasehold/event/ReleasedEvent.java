package dev.leasehold.event;

import java.time.Duration;

/**
 * A lease was given back by its holder. Not told of one that was exported and then closed, whose hold stays.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param held for how long it had been held
 * @param confirmed whether Redis confirmed it; if not, the release is repeated in the background
 */
public record ReleasedEvent(String lockName, String owner, Duration held, boolean confirmed) {}
