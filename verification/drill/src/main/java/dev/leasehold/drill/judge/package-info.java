/** Expectations of scenarios, and the comparison with what was observed. */
@NullMarked
package dev.leasehold.drill.judge;

import org.jspecify.annotations.NullMarked;
