package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.PathFactory;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;

/** Paths of one multiplexed connection each. */
public final class SharedPaths implements PathFactory {

    private static final SharedPath.Events NO_EVENTS = new SharedPath.Events() {};

    private final long connectTimeoutNanos;
    private final Scheduler scheduler;
    private final Invalidations invalidations;

    /** Uses the connect timeout of a connector. */
    public SharedPaths(ConnectorInfo info, Scheduler scheduler, Invalidations invalidations) {
        this.connectTimeoutNanos = info.connectTimeout().toNanos();
        this.scheduler = scheduler;
        this.invalidations = invalidations;
    }

    @Override
    public CommandPath calls(ServerRoute route) {
        return path(route);
    }

    @Override
    public CommandPath batches(ServerRoute route) {
        return path(route);
    }

    @Override
    public CommandPath tracked(ServerRoute route) {
        return new KeyTracking(route, invalidations, connectTimeoutNanos, scheduler);
    }

    @Override
    public CommandPath durable(ServerRoute route) {
        return path(route);
    }

    @Override
    public CommandPath inspection(ServerRoute route, CommandPath calls) {
        return path(route);
    }

    private SharedPath path(ServerRoute route) {
        return new SharedPath(route, ConnectionPurpose.COMMANDS, connectTimeoutNanos, scheduler, NO_EVENTS);
    }
}
