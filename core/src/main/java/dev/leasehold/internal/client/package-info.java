/**
 * Assembles a client: connects, starts the engine, runs the preflight, and closes what the client owns. It uses the
 * engine, the checks and the quorum, and only the builder uses it. Begin to read with {@link
 * dev.leasehold.internal.client.ClientFactory}.
 */
@NullMarked
package dev.leasehold.internal.client;

import org.jspecify.annotations.NullMarked;
