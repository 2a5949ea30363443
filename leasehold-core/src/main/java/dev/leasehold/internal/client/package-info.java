/** Assembles a client from its parts, and checks its servers. */
@NullMarked
package dev.leasehold.internal.client;

import org.jspecify.annotations.NullMarked;
