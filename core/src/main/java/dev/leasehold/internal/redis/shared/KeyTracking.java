package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.spi.RedisConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a server track the keys that a connection reads. What the last connection had read is not tracked any more, so each new one
 * begins with the invalidation of all keys.
 */
final class KeyTracking implements SharedPath.Events {

    private static final Logger LOG = LoggerFactory.getLogger(KeyTracking.class);

    /** Not of changes by the connection itself. */
    private static final List<String> TRACKING = List.of("CLIENT", "TRACKING", "ON", "NOLOOP");

    private final ServerRoute route;
    private final Invalidations invalidations;

    KeyTracking(ServerRoute route, Invalidations invalidations) {
        this.route = route;
        this.invalidations = invalidations;
    }

    @Override
    public void opened(SharedConnection connection) {
        RedisConnection open = connection.ifOpen();
        if (open == null) {
            return;
        }
        TextCommand tracking = new TextCommand(TRACKING);
        CompletionStage<?> unused = tracking.whenComplete((reply, failure) -> {
            if (failure == null) {
                invalidations.received(null);
            } else {
                LOG.debug("Redis at {} tracks no keys", route.address(), failure);
            }
        });
        connection.send(open, List.of(tracking), 0);
    }

    @Override
    public void invalidated(@Nullable List<String> keys) {
        invalidations.received(keys);
    }
}
