/** The driver of a run: starts all, causes faults, stops all and checks. */
@NullMarked
package dev.leasehold.chaos.drive;

import org.jspecify.annotations.NullMarked;
