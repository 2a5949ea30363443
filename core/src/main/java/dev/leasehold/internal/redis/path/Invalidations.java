package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.InvalidationListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes invalidations of all servers on to their one listener, once there is one. Safe for use by any thread. */
public final class Invalidations {

    private volatile @Nullable InvalidationListener listener;

    /** Sets the listener. */
    public void to(InvalidationListener hears) {
        listener = hears;
    }

    /** Returns whether somebody listens. */
    public boolean wanted() {
        return listener != null;
    }

    /** Keys of a server have changed; null stands for all. */
    public void received(@Nullable List<String> keys) {
        InvalidationListener hears = listener;
        if (hears == null) {
            return;
        }
        if (keys == null) {
            hears.allInvalidated();
        } else {
            keys.forEach(hears::invalidated);
        }
    }
}
