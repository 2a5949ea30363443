/** Clocks, counters and statistics. */
@NullMarked
package dev.leasehold.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
