package dev.leasehold.examples.shedlock;

import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

// example: both-providers
/** For one release: the lock of the former provider first, and ours under it. */
public record BothProviders(LockProvider theirs, LockProvider ours) implements LockProvider {

    @Override
    public Optional<SimpleLock> lock(LockConfiguration job) {
        return theirs.lock(job).flatMap(first -> second(job, first));
    }

    private Optional<SimpleLock> second(LockConfiguration job, SimpleLock first) {
        Optional<SimpleLock> second = Optional.empty();
        try {
            second = ours.lock(job);
        } finally {
            if (second.isEmpty()) {
                first.unlock();
            }
        }
        return second.map(lock -> () -> {
            try {
                lock.unlock();
            } finally {
                first.unlock();
            }
        });
    }
}
// end
