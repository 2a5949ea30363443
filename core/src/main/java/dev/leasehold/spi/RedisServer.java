package dev.leasehold.spi;

import dev.leasehold.Credentials;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
     * Returns whether a URI names several nodes of a cluster, separated by commas.
     *
     * @param uri any URI
     * @return whether its scheme is {@code redis} or {@code rediss} and it has more than one host
     */
    public static boolean areSeveralNamedIn(URI uri) {
        return ("redis".equalsIgnoreCase(uri.getScheme()) || "rediss".equalsIgnoreCase(uri.getScheme()))
                && UriHosts.of(uri).areSeveral();
    }

    /**
     * Reads the URI of these settings. User and password are split first and decoded then: {@code user:password},
     * {@code :password}, or {@code password} alone.
     *
     * @param settings the settings with the URI
     * @return the server; the first, if the URI names several nodes of a cluster
     * @throws IllegalArgumentException if it names no host, a user without a password, or a database that is not a
     *     number; the message contains no secret
     */
    public static RedisServer of(ConnectionSettings settings) {
        return allOf(settings).get(0);
    }

    /**
     * Reads the URI of these settings as {@link #of} does, and all hosts if it names several nodes of a cluster:
     * {@code redis://[[user]:password@]host[:port],host[:port]}. All have the same user, password and security.
     *
     * @param settings the settings with the URI
     * @return the servers in the order of the URI
     * @throws IllegalArgumentException if it names no host, a user without a password, or a database that is not a
     *     number; the message contains no secret
     */
    public static List<RedisServer> allOf(ConnectionSettings settings) {
        URI uri = settings.uri();
        UriHosts hosts = UriHosts.of(uri);
        List<RedisAddress> addresses = addresses(uri, hosts);
        if (addresses == null || hosts.areAmbiguous()) {
            throw new IllegalArgumentException("the URI of Redis names no host, or several of which one cannot be read;"
                    + " write redis://host:port, for several nodes of a cluster redis://host:port,host:port, and encode"
                    + " what is special in user and password (@ is %40, / is %2F, a comma is %2C)");
        }
        Login login = Login.of(hosts.userInfo());
        boolean tls = "rediss".equalsIgnoreCase(uri.getScheme());
        int database = database(uri);
        return addresses.stream()
                .map(each -> new RedisServer(each.host(), each.port(), tls, login.user(), login.password(), database))
                .toList();
    }

    private static @Nullable List<RedisAddress> addresses(URI uri, UriHosts hosts) {
        String host = uri.getHost();
        if (host == null) {
            return hosts.addresses(DEFAULT_PORT);
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return List.of(new RedisAddress(bare, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort()));
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

    /**
     * The authority of a URI whose hosts {@link URI} may not read, because they are several, or have an underscore in a name:
     * {@code [[user]:password@]host[:port][,host[:port]...]}.
     *
     * @param userInfo the undecoded credentials, or an empty text; a secret
     * @param list the hosts, separated by commas
     */
    record UriHosts(String userInfo, String list) {

        private static final int MAX_PORT = 65_535;
        private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[\\w.-]+)(?::(\\d{1,5}))?");

        /** Splits the authority; checks nothing. */
        static UriHosts of(URI uri) {
            String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
            int at = authority.lastIndexOf('@');
            return new UriHosts(at < 0 ? "" : authority.substring(0, at), authority.substring(at + 1));
        }

        /** Returns whether more than one host is named. */
        boolean areSeveral() {
            return list.indexOf(',') >= 0;
        }

        /** Returns whether the credentials contain an @, so that a part of them may look like a host. */
        boolean areAmbiguous() {
            return userInfo.indexOf('@') >= 0;
        }

        /** Returns the addresses; null if one has no host, or a port above 65535. */
        @Nullable
        List<RedisAddress> addresses(int defaultPort) {
            List<RedisAddress> addresses = new ArrayList<>();
            for (String each : list.split(",", -1)) {
                Matcher named = HOST.matcher(each);
                if (!named.matches()) {
                    return null;
                }
                int port = named.group(2) == null ? defaultPort : Integer.parseInt(named.group(2));
                if (port > MAX_PORT) {
                    return null;
                }
                String host = named.group(1);
                addresses.add(
                        new RedisAddress(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port));
            }
            return addresses;
        }

        /** Returns the hosts; nothing if one cannot be read, because it may be a part of a password. */
        @Override
        public String toString() {
            return addresses(DEFAULT_PORT) == null ? "" : list;
        }
    }
}
