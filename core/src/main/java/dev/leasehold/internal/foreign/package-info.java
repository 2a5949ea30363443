/**
 * Waiting for locks in the format of another library, which knows no queue: its releases are published on a channel of the lock. It uses the
 * entries of local queues, and the refusals of wake-ups. Begin to read with {@link dev.leasehold.internal.foreign.ChannelWaiters}.
 */
@NullMarked
package dev.leasehold.internal.foreign;

import org.jspecify.annotations.NullMarked;
