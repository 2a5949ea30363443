/** The history of a simulation, and the rules for it. */
@NullMarked
package dev.leasehold.simulation.history;

import org.jspecify.annotations.NullMarked;
