/** Locks shared with programs that use other libraries: the formats in which those store their locks. */
@NullMarked
package dev.leasehold.interop;

import org.jspecify.annotations.NullMarked;
