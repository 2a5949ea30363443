/** Runs with real processes and servers. */
@NullMarked
package dev.leasehold.chaos.drive;

import org.jspecify.annotations.NullMarked;
