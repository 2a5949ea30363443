/** The histories of exclusive locks, in the terms of the model of the protocol. */
@NullMarked
package dev.leasehold.chaos.trace;

import org.jspecify.annotations.NullMarked;
