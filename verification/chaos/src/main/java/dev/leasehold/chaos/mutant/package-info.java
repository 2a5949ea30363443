/** Deliberate bugs of the core that a run must find. */
@NullMarked
package dev.leasehold.chaos.mutant;

import org.jspecify.annotations.NullMarked;
