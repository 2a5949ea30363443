/** What happened in a simulation, and the rules it is judged by. */
@NullMarked
package dev.leasehold.simulation.history;

import org.jspecify.annotations.NullMarked;
