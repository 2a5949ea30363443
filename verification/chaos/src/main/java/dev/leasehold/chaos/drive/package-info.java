/** Starts all, strikes, stops all and judges. */
@NullMarked
package dev.leasehold.chaos.drive;

import org.jspecify.annotations.NullMarked;
