/** A Micronaut application whose instances pay each order once at a time. */
@NullMarked
package dev.leasehold.examples.micronaut;

import org.jspecify.annotations.NullMarked;
