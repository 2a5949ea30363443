/**
 * A recipe: leader election by a fair lock. It uses locks as any caller does, and the clocks and executors of the
 * client. Begin to read with {@link dev.leasehold.internal.election.Candidate}.
 */
@NullMarked
package dev.leasehold.internal.election;

import org.jspecify.annotations.NullMarked;
