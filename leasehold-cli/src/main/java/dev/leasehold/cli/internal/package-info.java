/** The leasehold command: its subcommands, what they print, and how they end. */
@NullMarked
package dev.leasehold.cli.internal;

import org.jspecify.annotations.NullMarked;
