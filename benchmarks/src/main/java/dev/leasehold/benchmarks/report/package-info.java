/** What is told at the end. */
@NullMarked
package dev.leasehold.benchmarks.report;

import org.jspecify.annotations.NullMarked;
