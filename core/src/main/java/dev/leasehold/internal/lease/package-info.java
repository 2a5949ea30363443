/**
 * The state of each lease, from before its request is sent to its end: its transitions, its validity, and how it is
 * lost or given back. It uses requests and the dispatch of events, and knows neither renewal nor waiting. Begin to
 * read with {@link dev.leasehold.internal.lease.LeaseRecord}.
 */
@NullMarked
package dev.leasehold.internal.lease;

import org.jspecify.annotations.NullMarked;
