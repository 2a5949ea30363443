/** What a flight recording of the JVM is told. */
@NullMarked
package dev.leasehold.internal.jfr;

import org.jspecify.annotations.NullMarked;
