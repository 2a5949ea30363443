/** The core of Leasehold: API, ports, events, and the engine behind them. */
@SuppressWarnings("module") // the adapters, which are not there yet when this is compiled
module dev.leasehold.core {
    requires static transitive org.jspecify;
    requires jdk.jfr;
    requires jdk.net;
    requires io.netty.common;
    requires org.slf4j;

    exports dev.leasehold;
    exports dev.leasehold.event;
    exports dev.leasehold.inspect;
    exports dev.leasehold.spi;
    exports dev.leasehold.internal.adapter to
            dev.leasehold.jedis,
            dev.leasehold.lettuce,
            dev.leasehold.springdata;

    uses dev.leasehold.spi.RedisTransportProvider;
}
