/** One lock over several independent servers: what the engine takes for one Redis is a majority of them. */
@NullMarked
package dev.leasehold.internal.quorum;

import org.jspecify.annotations.NullMarked;
