/** The service that the drill runs in three instances: locks on web endpoints, a lease that is held for long, and an election. */
@NullMarked
package dev.leasehold.drill.app;

import org.jspecify.annotations.NullMarked;
