package dev.leasehold.spi;

/** Found on the class path by {@link java.util.ServiceLoader}: opens transports for {@code Leasehold.connect(uri)}. */
public interface RedisTransportProvider {

    /**
     * Whether this adapter can open such a URI.
     *
     * @param scheme the URI's scheme in lower case, such as {@code redis}
     * @return true if it can
     */
    boolean supports(String scheme);

    /**
     * Opens a transport that owns its connections.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    RedisTransport open(ConnectionSettings settings);
}
