/** The reports. */
@NullMarked
package dev.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
