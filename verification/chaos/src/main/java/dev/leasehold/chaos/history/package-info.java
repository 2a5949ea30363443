/** The records of processes, and their reader. */
@NullMarked
package dev.leasehold.chaos.history;

import org.jspecify.annotations.NullMarked;
