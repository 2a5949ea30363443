/** What is measured: one class for each way to lock. */
@NullMarked
package dev.leasehold.benchmarks.subject;

import org.jspecify.annotations.NullMarked;
