/** The plot of stored reports. */
@NullMarked
package dev.leasehold.benchmarks.plot;

import org.jspecify.annotations.NullMarked;
