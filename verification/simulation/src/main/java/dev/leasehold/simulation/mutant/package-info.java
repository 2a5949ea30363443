/** Deliberate bugs in copies of the core, and their class loader. */
@NullMarked
package dev.leasehold.simulation.mutant;

import org.jspecify.annotations.NullMarked;
