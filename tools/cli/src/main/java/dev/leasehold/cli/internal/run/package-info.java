/** Runs a command under a lock, and ends the command if the lease is lost or this process dies. */
@NullMarked
package dev.leasehold.cli.internal.run;

import org.jspecify.annotations.NullMarked;
