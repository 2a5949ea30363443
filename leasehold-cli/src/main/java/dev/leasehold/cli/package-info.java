/** The leasehold command. {@link dev.leasehold.cli.Main} is all that others may rely on. */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
