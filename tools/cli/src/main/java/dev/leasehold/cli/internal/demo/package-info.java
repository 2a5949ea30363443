/** The demonstration: processes that contend, freeze and die, and a verdict on their records. */
@NullMarked
package dev.leasehold.cli.internal.demo;

import org.jspecify.annotations.NullMarked;
