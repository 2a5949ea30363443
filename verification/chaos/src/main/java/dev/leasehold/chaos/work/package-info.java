/** The processes that use locks, and the resource that the locks guard. */
@NullMarked
package dev.leasehold.chaos.work;

import org.jspecify.annotations.NullMarked;
