/**
 * Requests of several callers for different locks leave as one call. It uses the store that it stands before, and the request
 * that one script serves; nothing above knows of it. Begin to read with {@link
 * dev.leasehold.internal.combine.CombiningStore}.
 */
@NullMarked
package dev.leasehold.internal.combine;

import org.jspecify.annotations.NullMarked;
