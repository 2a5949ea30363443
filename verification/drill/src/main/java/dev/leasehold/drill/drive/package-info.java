/** The course of a drill, and its report. */
@NullMarked
package dev.leasehold.drill.drive;

import org.jspecify.annotations.NullMarked;
