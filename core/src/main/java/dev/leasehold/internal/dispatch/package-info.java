/**
 * Delivers events to listeners and traces, on the event executor and never under a lock. It uses the public events
 * only. Begin to read with {@link dev.leasehold.internal.dispatch.EventDispatcher}.
 */
@NullMarked
package dev.leasehold.internal.dispatch;

import org.jspecify.annotations.NullMarked;
