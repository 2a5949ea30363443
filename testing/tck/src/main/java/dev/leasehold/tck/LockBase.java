package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Base of the contracts of locks that also hold for locks with {@link LockOptions#retainFor()}. A variant that retains holds
 * overrides {@link #retainFor()}. Its tests then use the lock once before they begin, so that they start from a retained hold, and
 * expect of Redis what a client promises that retains holds.
 */
abstract class LockBase extends ContractBase {

    /** The time for which most variants retain holds: long, since a lease that took a hold over has no more until it is renewed. */
    static final Duration RETAINED = LockOptions.MAX_RETAIN_TIME;

    /** Returns the time for which the locks under test retain their holds; null, the default, for never. */
    @Nullable
    Duration retainFor() {
        return null;
    }

    /** Returns the same in ms, or 0 for never. */
    final long retainMillis() {
        return retainFor() == null ? 0 : retainFor().toMillis();
    }

    /**
     * Returns the options of a lock under test: with retention if the contract is to test it. A limited number of renewals
     * excludes retention, so such options stay as they are.
     */
    final LockOptions retaining(LockOptions options) {
        Duration time = retainFor();
        return time == null || !options.renewal().unlimited() ? options : retaining(options, time);
    }

    /** Returns options with retention, for at most the lease and the maximum hold. */
    static LockOptions retaining(LockOptions options, Duration time) {
        Duration shortest = Stream.of(time, options.leaseTime(), options.maxHold())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        return options.toBuilder().retainFor(shortest).build();
    }

    /** Returns a lock that was not used yet. */
    final DistributedLock unusedLock(Leasehold client, String name, LockOptions options) {
        return client.lock(name).with(retaining(options));
    }

    /** Returns a lock with default options that was not used yet. */
    DistributedLock unusedLock(Leasehold client, String name) {
        return unusedLock(client, name, LockOptions.defaults());
    }

    /** Returns a lock with default options; see {@link #lock(Leasehold, String, LockOptions)}. */
    DistributedLock lock(Leasehold client, String name) {
        return lock(client, name, LockOptions.defaults());
    }

    /** Returns a lock; if holds are retained and no client has the lock, this client retains it already. */
    final DistributedLock lock(Leasehold client, String name, LockOptions options) {
        DistributedLock lock = unusedLock(client, name, options);
        if (retaining(options).retainFor() != null && holds(name) == 0) {
            useUntilRetained(lock);
        }
        return lock;
    }

    /** Uses a lock until its client retains it: the first releases may come before the client receives wake-ups. */
    static void useUntilRetained(DistributedLock lock) {
        soon().ignoreException(LockUnavailableException.class).until(() -> {
            return released(lock.acquire())
                    && lock.inspect().map(LockInfo::retained).orElse(false);
        });
    }

    /** Returns whether no caller holds a lock: Redis has no hold of it, or one that its client gives up when asked. */
    final boolean isFree(String name) {
        return holds(name) == 0 || (retainFor() != null && !field(name, "rt").equals("null"));
    }

    /** Returns the holder that inspection shows. A hold that is merely retained has none. */
    final Optional<LockInfo> holder(DistributedLock lock) {
        return lock.inspect().filter(info -> retainFor() == null || !info.retained());
    }

    /**
     * Returns the lease of a lock that no caller holds: by the first try, or, if another client may retain it, by one that soon
     * follows the first, which asks for the lock.
     */
    final Lease acquireFree(DistributedLock lock) {
        if (retainFor() == null) {
            return lock.tryAcquire().orElseThrow();
        }
        return await().until(lock::tryAcquire, Optional::isPresent).orElseThrow();
    }

    /** Asserts that a try without a wait gets a lock that no caller holds; see {@link #acquireFree}. */
    final void locksFree(DistributedLock lock) {
        if (retainFor() == null) {
            assertThat(lock.tryLock()).isTrue();
        } else {
            await().until(lock::tryLock);
        }
    }
}
