/** Meters and observations of Leasehold for Micrometer. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
