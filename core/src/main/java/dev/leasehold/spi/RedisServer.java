package dev.leasehold.spi;

import dev.leasehold.Credentials;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The server in a URI: the same for all adapters. An immutable value.
 *
 * @param host its host, an IPv6 address without brackets
 * @param port its port
 * @param tls whether it uses TLS
 * @param user the user, or null for the default user
 * @param password the password, or null for none; {@link #toString()} omits it
 * @param database the number of the database
 */
public record RedisServer(
        String host,
        int port,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        int database) {

    private static final int DEFAULT_PORT = 6379;

    /**
     * Reads the URI of these settings. User and password are split first and decoded then: {@code user:password},
     * {@code :password}, or {@code password} alone.
     *
     * @param settings the settings with the URI
     * @return the parsed URI
     * @throws IllegalArgumentException if it names no host, a user without a password, or a database that is not a
     *     number; the message contains no secret
     */
    public static RedisServer of(ConnectionSettings settings) {
        URI uri = settings.uri();
        String host = uri.getHost();
        if (host == null) {
            throw new IllegalArgumentException("the URI of Redis names no host; write redis://host:port, and encode "
                    + "what is special in user and password (@ is %40, / is %2F)");
        }
        Login login = Login.of(uri.getRawUserInfo());
        return new RedisServer(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                "rediss".equalsIgnoreCase(uri.getScheme()),
                login.user(),
                login.password(),
                database(uri));
    }

    static int database(URI uri) {
        String path = uri.getPath();
        if (path == null || path.length() <= 1) {
            return 0;
        }
        String number = path.substring(1);
        if (!number.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    "the path of the URI of Redis must be the number of a database, as in redis://host:6379/2");
        }
        return Integer.parseInt(number);
    }

    /**
     * Returns where it listens.
     *
     * @return host and port
     */
    public RedisAddress address() {
        return new RedisAddress(host, port);
    }

    /**
     * Returns another server with the same credentials and security.
     *
     * @param otherHost its host
     * @param otherPort its port
     * @return the server, with the same user, password, database and security
     */
    public RedisServer elsewhere(String otherHost, int otherPort) {
        return new RedisServer(otherHost, otherPort, tls, user, password, database);
    }

    /**
     * Returns the same server with other credentials.
     *
     * @param credentials the user and the password
     * @return the server, with the same address, database and security
     */
    public RedisServer as(Credentials credentials) {
        return new RedisServer(host, port, tls, credentials.user(), credentials.password(), database);
    }

    /**
     * Returns the address without secrets.
     *
     * @return host and port
     */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
