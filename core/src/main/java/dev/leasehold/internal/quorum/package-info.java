/**
 * Keeps locks on several independent servers, of which a majority decides; the engine sees them as one store. It uses
 * requests, and a store for each server. Begin to read with {@link dev.leasehold.internal.quorum.QuorumStore}.
 */
@NullMarked
package dev.leasehold.internal.quorum;

import org.jspecify.annotations.NullMarked;
