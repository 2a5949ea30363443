/**
 * Leasehold for Quarkus: {@code quarkus.leasehold.*} configures a {@link dev.leasehold.Leasehold} bean over the
 * application's Redis settings.
 */
@NullMarked
package dev.leasehold.quarkus;

import org.jspecify.annotations.NullMarked;
