/** The events that Leasehold reports about its locks: one record per event, one listener for all. */
@NullMarked
package dev.leasehold.event;

import org.jspecify.annotations.NullMarked;
