/** The leasehold command. Only {@link dev.leasehold.cli.Main} is public API. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
