package dev.leasehold.spi;

/** Opens transports for {@code Leasehold.connect(uri)}; {@link java.util.ServiceLoader} finds it on the class path. */
public interface RedisTransportProvider {

    /**
     * Returns whether this adapter can open URIs of a scheme here.
     *
     * @param scheme the URI's scheme in lower case, such as {@code redis}
     * @return true if it can; false also if the client that it adapts is not on the class path, see {@link #canLoad}
     */
    boolean supports(String scheme);

    /**
     * Returns whether this adapter's client is on the class path, where an adapter comes without its client.
     *
     * @param name the full name of a class of the client, which is not initialized
     * @return whether the loader of this provider finds it
     */
    default boolean canLoad(String name) {
        try {
            Class<?> unused = Class.forName(name, false, getClass().getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Opens a transport that owns its connections. Each of them asks {@link ConnectionSettings#credentials(ConnectionPurpose)} for
     * user and password, if that is not null.
     *
     * @param settings the server and the options of its connections
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    RedisTransport open(ConnectionSettings settings);
}
