/** The measured subjects: one class for each implementation of locks. */
@NullMarked
package dev.leasehold.benchmarks.subject;

import org.jspecify.annotations.NullMarked;
