/** What Leasehold does, in figures for Micrometer. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
