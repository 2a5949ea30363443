package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.EventLoops;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The executors of Netty that must not block are told from those that may. */
class NettyEventLoopsTest {

    private final EventLoops loops = ServiceLoader.load(EventLoops.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(NettyEventLoops.class::isInstance)
            .findFirst()
            .orElseThrow();

    private boolean isOnEventLoop(EventExecutorGroup group) throws Exception {
        try {
            return group.submit(loops::isOnEventLoop).get(30, TimeUnit.SECONDS);
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    @Test
    void eventLoopsMustNotBlockWhateverTheirThreads() throws Exception {
        assertThat(isOnEventLoop(new DefaultEventLoopGroup(1))).isTrue();
        assertThat(isOnEventLoop(new DefaultEventLoopGroup(1, Executors.defaultThreadFactory())))
                .isTrue();
    }

    @Test
    void otherExecutorsOfNettyAndOtherThreadsMayBlock() throws Exception {
        assertThat(isOnEventLoop(new DefaultEventExecutorGroup(1))).isFalse();
        assertThat(loops.isOnEventLoop()).isFalse();
    }
}
