/** Measurements of Leasehold and its peers, in the same run and against the same server. */
@NullMarked
package dev.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;
