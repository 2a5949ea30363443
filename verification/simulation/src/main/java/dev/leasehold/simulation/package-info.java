/** Simulated clients, network and server in one thread on virtual time, driven by one seed. */
@NullMarked
package dev.leasehold.simulation;

import org.jspecify.annotations.NullMarked;
