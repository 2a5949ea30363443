package dev.leasehold.event;

import java.time.Duration;

/**
 * An exported lease was closed in this process: its hold stays in Redis until another process resumes it.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param held how long it was held in this process
 */
public record ExportedEvent(String lockName, String owner, Duration held) {}
