/** The core of Leasehold: API, ports, events, and the engine behind them. */
module dev.leasehold.core {
    requires static transitive org.jspecify;
    requires jdk.jfr;
    requires jdk.net;
    requires io.netty.common;
    requires org.slf4j;

    exports dev.leasehold;
    exports dev.leasehold.diagnostics;
    exports dev.leasehold.event;
    exports dev.leasehold.inspect;
    exports dev.leasehold.interop;
    exports dev.leasehold.quorum;
    exports dev.leasehold.recipes;
    exports dev.leasehold.redis;
    exports dev.leasehold.spi;

    uses dev.leasehold.spi.EventLoops;
    uses dev.leasehold.spi.RedisTransportProvider;
}
