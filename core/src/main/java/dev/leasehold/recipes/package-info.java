/** Recipes on top of locks: count-down latches, and the election of a leader. */
@NullMarked
package dev.leasehold.recipes;

import org.jspecify.annotations.NullMarked;
