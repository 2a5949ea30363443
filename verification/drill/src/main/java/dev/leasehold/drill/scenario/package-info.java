/** The faults of the drill. */
@NullMarked
package dev.leasehold.drill.scenario;

import org.jspecify.annotations.NullMarked;
