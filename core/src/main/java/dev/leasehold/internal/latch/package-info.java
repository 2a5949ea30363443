/**
 * A recipe: a count-down latch in Redis, whose waiters are woken like those of locks. It uses what any recipe may:
 * requests, wake-ups, and messages. Begin to read with {@link dev.leasehold.internal.latch.LatchView}.
 */
@NullMarked
package dev.leasehold.internal.latch;

import org.jspecify.annotations.NullMarked;
