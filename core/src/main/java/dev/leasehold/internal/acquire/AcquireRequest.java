package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.time.WaitLimit;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one acquisition.
 *
 * @param owner the named owner; null if the acquisition is its own owner
 * @param thread the thread that will hold the lease; null if none does
 * @param tied whether the lease ends with that thread
 * @param fair whether it waits at a position of its own, in the order of arrival
 * @param candidate whether a candidate of an election stands by it, and no measurement counts it as a waiter
 * @param part whether a call for several locks made it, which reports how it ended for all of them
 * @param trace follows the acquisition and its lease; null if no tracer does
 */
public record AcquireRequest(
        LockKey key,
        @Nullable OwnerKey owner,
        LockOptions options,
        @Nullable Thread thread,
        boolean tied,
        boolean fair,
        boolean candidate,
        WaitLimit limit,
        boolean part,
        @Nullable TraceDispatcher trace) {}
