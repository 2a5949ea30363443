package dev.leasehold.internal.redis.server;

import dev.leasehold.spi.ConnectorInfo;

/** Paths over connections that block. */
public final class BlockingPaths implements PathFactory {

    private final ConnectorInfo info;

    public BlockingPaths(ConnectorInfo info) {
        this.info = info;
    }

    @Override
    public CommandPath calls(ServerRoute route) {
        throw new UnsupportedOperationException(info.address());
    }

    @Override
    public CommandPath batches(ServerRoute route) {
        throw new UnsupportedOperationException(info.address());
    }

    @Override
    public CommandPath durable(ServerRoute route) {
        throw new UnsupportedOperationException(info.address());
    }

    @Override
    public DialoguePath dialogues(ServerRoute route) {
        throw new UnsupportedOperationException(info.address());
    }
}
