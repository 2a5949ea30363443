/** Other JVMs that take part in a measurement, and how they are told what to do. */
@NullMarked
package dev.leasehold.benchmarks.process;

import org.jspecify.annotations.NullMarked;
