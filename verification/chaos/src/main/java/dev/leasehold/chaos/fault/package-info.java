/** The faults, and the servers they affect. */
@NullMarked
package dev.leasehold.chaos.fault;

import org.jspecify.annotations.NullMarked;
