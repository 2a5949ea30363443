package dev.leasehold;

import dev.leasehold.internal.key.KeyFormat;

/**
 * How a lock is stored in Redis, and so with which programs it is shared. {@link #leasehold()} is the format of this library and keeps
 * everything that it promises. {@link dev.leasehold.interop.Formats} has the others, for a time of migration, or for names that programs
 * with other libraries use, too.
 *
 * <p>All formats have leases that are renewed, that tell their holder of a loss, and that are released in the background if Redis did not
 * answer in time. Only {@link #leasehold()} has named owners, fair and read-write locks, semaphores, retained holds, minimum holds, exports
 * and requests to release. Immutable.
 */
public sealed interface LockFormat permits KeyFormat {

    /**
     * Returns the format of this library, which {@link Leasehold#lock(String)} uses.
     *
     * @return the format
     */
    static LockFormat leasehold() {
        return KeyFormat.Word.LEASEHOLD;
    }
}
