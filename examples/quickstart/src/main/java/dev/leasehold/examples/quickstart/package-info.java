/** The Java examples of the READMEs, each between {@code // example:} and {@code // end}. */
@NullMarked
package dev.leasehold.examples.quickstart;

import org.jspecify.annotations.NullMarked;
