/** The Java examples of the handbook, each between {@code // example:} and {@code // end}. */
@NullMarked
package dev.leasehold.examples.quickstart;

import org.jspecify.annotations.NullMarked;
