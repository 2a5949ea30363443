/** Runs a command under a lock, and sees to it that the command never outlives the lock or the command line. */
@NullMarked
package dev.leasehold.cli.internal.run;

import org.jspecify.annotations.NullMarked;
