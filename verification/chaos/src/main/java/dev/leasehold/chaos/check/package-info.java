/** The rules for histories. */
@NullMarked
package dev.leasehold.chaos.check;

import org.jspecify.annotations.NullMarked;
