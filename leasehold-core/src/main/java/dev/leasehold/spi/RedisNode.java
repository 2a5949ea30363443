package dev.leasehold.spi;

/**
 * A server of a topology.
 *
 * @param host its host name or address
 * @param port its port
 * @param primary whether it takes writes
 */
public record RedisNode(String host, int port, boolean primary) {

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
