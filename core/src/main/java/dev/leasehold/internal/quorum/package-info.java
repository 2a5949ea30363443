/** Locks over several independent servers, of which a majority decides; the engine sees them as one Redis. */
@NullMarked
package dev.leasehold.internal.quorum;

import org.jspecify.annotations.NullMarked;
