/** The faults, and the servers they strike. */
@NullMarked
package dev.leasehold.chaos.fault;

import org.jspecify.annotations.NullMarked;
