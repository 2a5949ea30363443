/** Puts a client together from its parts. */
@NullMarked
package dev.leasehold.internal.client;

import org.jspecify.annotations.NullMarked;
