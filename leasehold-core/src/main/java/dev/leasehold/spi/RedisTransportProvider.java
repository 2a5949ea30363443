package dev.leasehold.spi;

/** Opens transports for {@code Leasehold.connect(uri)}; {@link java.util.ServiceLoader} finds it on the class path. */
public interface RedisTransportProvider {

    /**
     * Returns whether this adapter can open URIs of a scheme.
     *
     * @param scheme the URI's scheme in lower case, such as {@code redis}
     * @return true if it can
     */
    boolean supports(String scheme);

    /**
     * Opens a transport that owns its connections.
     *
     * @param settings the server and the options of its connections
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    RedisTransport open(ConnectionSettings settings);
}
