/**
 * Puts the parts of the lock engine together, in four steps; nothing else happens here. It uses every other package of
 * the engine, and the client uses it. Begin to read with {@link dev.leasehold.internal.engine.Engine}.
 */
@NullMarked
package dev.leasehold.internal.engine;

import org.jspecify.annotations.NullMarked;
