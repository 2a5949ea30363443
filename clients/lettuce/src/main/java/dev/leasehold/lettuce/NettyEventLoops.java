package dev.leasehold.lettuce;

import dev.leasehold.spi.EventLoops;
import io.netty.channel.EventLoop;
import io.netty.util.internal.InternalThreadLocalMap;
import io.netty.util.internal.ThreadExecutorMap;

/**
 * Recognises the event loops of Netty: those of Lettuce, and those of Vert.x, Micronaut and other servers over Netty. The other
 * executors of Netty may block.
 */
public final class NettyEventLoops implements EventLoops {

    private final boolean present = isPresent();

    /** Called by {@link java.util.ServiceLoader}. */
    public NettyEventLoops() {}

    private static boolean isPresent() {
        try {
            Class.forName("io.netty.channel.EventLoop", false, NettyEventLoops.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** {@inheritDoc} A thread without any of Netty's thread locals is none, and gets none here. */
    @Override
    public boolean isOnEventLoop() {
        return present
                && InternalThreadLocalMap.getIfSet() != null
                && ThreadExecutorMap.currentExecutor() instanceof EventLoop;
    }
}
