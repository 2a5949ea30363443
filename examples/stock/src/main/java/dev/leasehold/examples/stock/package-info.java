/** A shop whose stock must not be oversold by any number of instances. */
@NullMarked
package dev.leasehold.examples.stock;

import org.jspecify.annotations.NullMarked;
