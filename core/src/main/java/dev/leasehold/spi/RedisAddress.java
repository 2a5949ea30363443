package dev.leasehold.spi;

import dev.leasehold.internal.key.Names;

/**
 * Where a server listens.
 *
 * @param host its host name or address, an IPv6 address without brackets; or the path of its Unix socket
 * @param port its port; 0 for a Unix socket
 */
public record RedisAddress(String host, int port) {

    /** Returns the address for messages: servers name each other, so control characters are escaped. */
    @Override
    public String toString() {
        String shown = Names.escapeLong(host);
        if (port == 0) {
            return shown;
        }
        return shown.contains(":") ? "[" + shown + "]:" + port : shown + ":" + port;
    }
}
