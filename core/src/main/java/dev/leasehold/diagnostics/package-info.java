/** The health of servers and locks: findings of the checks, waits across processes, and deadlocks. */
@NullMarked
package dev.leasehold.diagnostics;

import org.jspecify.annotations.NullMarked;
