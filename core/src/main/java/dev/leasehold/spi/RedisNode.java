package dev.leasehold.spi;

/**
 * A server of a topology.
 *
 * @param host its host name or address, or the path of its Unix socket
 * @param port its port; 0 for a Unix socket
 * @param primary whether it accepts writes
 */
public record RedisNode(String host, int port, boolean primary) {

    @Override
    public String toString() {
        return port == 0 ? host : host + ":" + port;
    }
}
