/** What Leasehold does, in figures and observations for Micrometer. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
