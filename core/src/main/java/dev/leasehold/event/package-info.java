/**
 * The events that Leasehold reports about its locks: one record per event, one listener for all. The constructors of the records are
 * not API, because a version may add components.
 */
@NullMarked
package dev.leasehold.event;

import org.jspecify.annotations.NullMarked;
