/** Deliberate bugs in copies of the core, and what loads them. */
@NullMarked
package dev.leasehold.simulation.mutant;

import org.jspecify.annotations.NullMarked;
