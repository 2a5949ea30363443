/** The engine: state machines without waiting, and the drivers that wait for them. */
@NullMarked
package dev.leasehold.internal.engine;

import org.jspecify.annotations.NullMarked;
