/** The beans of the extension. */
@NullMarked
package dev.leasehold.quarkus.internal;

import org.jspecify.annotations.NullMarked;
