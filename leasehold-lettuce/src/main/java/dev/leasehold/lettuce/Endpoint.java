package dev.leasehold.lettuce;

/**
 * The address of a node of a cluster.
 *
 * @param host a name or an address, without brackets
 * @param port its port for clients
 */
record Endpoint(String host, int port) {

    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
