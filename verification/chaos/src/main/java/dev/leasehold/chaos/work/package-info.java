/** The processes that use locks, and the one that is guarded by them. */
@NullMarked
package dev.leasehold.chaos.work;

import org.jspecify.annotations.NullMarked;
