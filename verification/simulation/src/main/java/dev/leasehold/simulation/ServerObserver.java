package dev.leasehold.simulation;

import dev.leasehold.simulation.trace.Answered;

/** Learns what the scripts of a server did with locks, and what happened to its data. */
interface ServerObserver {

    void executed(Answered one);

    /**
     * Called after a fault.
     *
     * @param step the step of its clock, in ns
     */
    void struck(FaultKind kind, long step);
}
