/** Child JVMs that take part in a measurement, and the messages between them. */
@NullMarked
package dev.leasehold.benchmarks.process;

import org.jspecify.annotations.NullMarked;
