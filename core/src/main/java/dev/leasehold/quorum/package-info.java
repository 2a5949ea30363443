/** Locks that several independent servers keep, of which a majority decides. */
@NullMarked
package dev.leasehold.quorum;

import org.jspecify.annotations.NullMarked;
