/** The jobs of one JVM in a situation of several. */
@NullMarked
package dev.leasehold.benchmarks.job;

import org.jspecify.annotations.NullMarked;
