package dev.leasehold.spi;

import dev.leasehold.internal.key.Names;

/**
 * A server of a topology.
 *
 * @param host its host name or address, or the path of its Unix socket
 * @param port its port; 0 for a Unix socket
 * @param primary whether it accepts writes
 */
public record RedisNode(String host, int port, boolean primary) {

    /** Returns the address for messages: servers name each other, so control characters are escaped. */
    @Override
    public String toString() {
        String shown = Names.escapeLong(host);
        return port == 0 ? shown : shown + ":" + port;
    }
}
