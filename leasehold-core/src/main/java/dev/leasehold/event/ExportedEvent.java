package dev.leasehold.event;

import java.time.Duration;

/**
 * A lease that was exported is closed here: its hold stays in Redis, for whoever resumes it.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param held for how long it had been held here
 */
public record ExportedEvent(String lockName, String owner, Duration held) {}
