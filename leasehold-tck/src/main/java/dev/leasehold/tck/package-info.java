/** What every transport and topology of Leasehold must do, as tests to inherit, and the means to disturb it. */
@NullMarked
package dev.leasehold.tck;

import org.jspecify.annotations.NullMarked;
