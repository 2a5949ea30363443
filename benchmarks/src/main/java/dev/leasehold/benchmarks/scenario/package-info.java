/** The methods of measurement: one class for each situation. */
@NullMarked
package dev.leasehold.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
