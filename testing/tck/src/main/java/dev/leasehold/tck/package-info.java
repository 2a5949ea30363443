/**
 * The requirements for every transport and topology of Leasehold, as tests to inherit, and the means to cause
 * faults.
 */
@NullMarked
package dev.leasehold.tck;

import org.jspecify.annotations.NullMarked;
