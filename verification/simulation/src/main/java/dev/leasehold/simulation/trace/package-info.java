/** The trace of a run: what each script did with a lock, and what its clients relied on, in the terms of the model of the protocol. */
@NullMarked
package dev.leasehold.simulation.trace;

import org.jspecify.annotations.NullMarked;
