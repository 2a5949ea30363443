/**
 * Reaches servers: the settings of a client, the adapter for a URI, and plain commands with their replies. It uses the
 * port to adapters and the limits of requests. Begin to read with {@link
 * dev.leasehold.internal.connect.Transports}.
 */
@NullMarked
package dev.leasehold.internal.connect;

import org.jspecify.annotations.NullMarked;
