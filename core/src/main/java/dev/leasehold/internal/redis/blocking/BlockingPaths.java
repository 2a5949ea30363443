package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.PathFactory;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.TimeSource;

/** Paths over connections that block. */
public final class BlockingPaths implements PathFactory {

    private final ConnectorInfo info;
    private final TimeSource time;

    public BlockingPaths(ConnectorInfo info, TimeSource time) {
        this.info = info;
        this.time = time;
    }

    @Override
    public CommandPath calls(ServerRoute route) {
        return new PooledPath(new ConnectionPool(route, info, time));
    }

    @Override
    public CommandPath batches(ServerRoute route) {
        return new BatchThreadPath(route, info, time, false);
    }

    /** {@inheritDoc} Nothing that Redis sends unasked would be read, so this is like one for batches. */
    @Override
    public CommandPath tracked(ServerRoute route) {
        return batches(route);
    }

    @Override
    public CommandPath durable(ServerRoute route) {
        return new BatchThreadPath(route, info, time, true);
    }

    @Override
    public CommandPath inspection(ServerRoute route, CommandPath calls) {
        return calls;
    }
}
