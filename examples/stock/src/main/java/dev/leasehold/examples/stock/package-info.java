/** A shop whose stock must not be oversold, however many instances sell. */
@NullMarked
package dev.leasehold.examples.stock;

import org.jspecify.annotations.NullMarked;
