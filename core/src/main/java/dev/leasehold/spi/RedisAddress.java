package dev.leasehold.spi;

/**
 * Where a server listens.
 *
 * @param host its host name or address, an IPv6 address without brackets; or the path of its Unix socket
 * @param port its port; 0 for a Unix socket
 */
public record RedisAddress(String host, int port) {

    @Override
    public String toString() {
        if (port == 0) {
            return host;
        }
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
