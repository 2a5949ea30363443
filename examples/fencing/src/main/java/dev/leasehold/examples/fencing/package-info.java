/** The Java examples of {@code docs/fencing.md}, each between {@code // example:} and {@code // end}. */
@NullMarked
package dev.leasehold.examples.fencing;

import org.jspecify.annotations.NullMarked;
