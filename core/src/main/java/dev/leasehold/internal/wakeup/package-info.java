/**
 * Wake-ups over Redis: the channels of a client, their messages, and the listener that passes them on to waiters. It
 * uses the port to adapters and the failures of requests, and knows no queue. Begin to read with {@link
 * dev.leasehold.internal.wakeup.WakeListener}.
 */
@NullMarked
package dev.leasehold.internal.wakeup;

import org.jspecify.annotations.NullMarked;
