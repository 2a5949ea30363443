/** Clocks, timers and limits of time; the only package that reads the machine's time. */
@NullMarked
package dev.leasehold.internal.time;

import org.jspecify.annotations.NullMarked;
