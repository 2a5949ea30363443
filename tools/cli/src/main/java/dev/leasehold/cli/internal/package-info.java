/** The subcommands of the leasehold command, their output and their exit codes. */
@NullMarked
package dev.leasehold.cli.internal;

import org.jspecify.annotations.NullMarked;
