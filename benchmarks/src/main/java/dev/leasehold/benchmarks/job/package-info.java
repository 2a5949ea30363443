/** What one JVM of several does in a situation: one class for each job. */
@NullMarked
package dev.leasehold.benchmarks.job;

import org.jspecify.annotations.NullMarked;
