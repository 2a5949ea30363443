/** An adapter of a client that Leasehold has none for; see {@link dev.leasehold.examples.adapter.VertxTransport}. */
@NullMarked
package dev.leasehold.examples.adapter;

import org.jspecify.annotations.NullMarked;
