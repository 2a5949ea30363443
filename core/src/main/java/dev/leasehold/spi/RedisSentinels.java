package dev.leasehold.spi;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Sentinels in a URI, and the primary that they name: the same for all adapters. An immutable value.
 *
 * @param sentinels the Sentinels, each with its address and credentials
 * @param primaryName the name under which the Sentinels know the primary
 * @param tls whether the primary uses TLS
 * @param user the user at the primary, or null for the default user
 * @param password the password at the primary, or null for none; {@link #toString()} omits it
 * @param database the number of the database
 */
public record RedisSentinels(
        List<RedisServer> sentinels,
        String primaryName,
        boolean tls,
        @Nullable String user,
        @Nullable String password,
        int database) {

    /** The scheme of such a URI. */
    public static final String SCHEME = "redis-sentinel";

    /** The scheme of such a URI if Sentinels and servers use TLS. */
    public static final String TLS_SCHEME = "rediss-sentinel";

    private static final int DEFAULT_PORT = 26_379;

    /** The names that a Sentinel accepts. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private static final String PRIMARY = "sentinelMasterId";
    private static final String USER = "sentinelUser";
    private static final String PASSWORD = "sentinelPassword";
    private static final Set<String> PARAMETERS = Set.of(PRIMARY, USER, PASSWORD);
    private static final String SPELLING =
            "; write redis-sentinel://host:port,host:port/0?sentinelMasterId=mymaster, add &sentinelPassword=... if the sentinels "
                    + "have one, and encode what is special in user and password (@ is %40, / is %2F, & is %26)";

    /** Copies the list. */
    public RedisSentinels {
        sentinels = List.copyOf(sentinels);
    }

    /**
     * Returns whether a URI names Sentinels.
     *
     * @param uri any URI
     * @return whether its scheme is {@value #SCHEME} or {@value #TLS_SCHEME}
     */
    public static boolean areNamedIn(URI uri) {
        return uri.getScheme() != null && isSchemeOf(uri.getScheme());
    }

    /**
     * Returns whether URIs of a scheme name Sentinels.
     *
     * @param scheme any scheme
     * @return whether it is {@value #SCHEME} or {@value #TLS_SCHEME}
     */
    public static boolean isSchemeOf(String scheme) {
        return SCHEME.equalsIgnoreCase(scheme) || TLS_SCHEME.equalsIgnoreCase(scheme);
    }

    /**
     * Reads {@code redis-sentinel://[[user]:password@]host[:port][,host[:port]...][/database]?sentinelMasterId=name};
     * the name may also be the fragment, if there is no {@code sentinelPassword}. User and password are those of the
     * primary and its replicas. Those of the Sentinels, if they have any, are the parameters {@code sentinelUser} and
     * {@code sentinelPassword}. With {@value #TLS_SCHEME}, Sentinels and servers use TLS.
     *
     * @param settings the settings with the URI
     * @return the parsed URI
     * @throws IllegalArgumentException if it names no Sentinel, no primary, a user without a password, a database that
     *     is not a number, or anything else in its query; the message contains no secret
     */
    public static RedisSentinels of(ConnectionSettings settings) {
        URI uri = settings.uri();
        RedisServer.UriHosts hosts = RedisServer.UriHosts.of(uri);
        if (hosts.areAmbiguous()) {
            throw new IllegalArgumentException("the URI of Redis Sentinel has more than one @" + SPELLING);
        }
        Login login = Login.of(hosts.userInfo());
        Map<String, String> parameters = parameters(uri);
        boolean tls = TLS_SCHEME.equalsIgnoreCase(uri.getScheme());
        return new RedisSentinels(
                sentinels(hosts, tls, sentinelLogin(parameters)),
                name(uri, parameters),
                tls,
                login.user(),
                login.password(),
                RedisServer.database(uri));
    }

    private static Map<String, String> parameters(URI uri) {
        Map<String, String> parameters = new HashMap<>();
        String query = uri.getRawQuery();
        if (query == null) {
            return parameters;
        }
        for (String each : query.split("&", -1)) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            if (!PARAMETERS.contains(name) || parameters.putIfAbsent(name, each.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("the query of the URI of Redis Sentinel may say "
                        + String.join(", ", List.of(PRIMARY, USER, PASSWORD)) + ", each once, and nothing else"
                        + SPELLING);
            }
        }
        return parameters;
    }

    /** Returns the credentials for the Sentinels. */
    private static Login sentinelLogin(Map<String, String> parameters) {
        String user = parameters.getOrDefault(USER, "");
        String password = parameters.getOrDefault(PASSWORD, "");
        if (password.isEmpty() && (!user.isEmpty() || parameters.containsKey(PASSWORD))) {
            throw new IllegalArgumentException(
                    "the URI of Redis Sentinel names a sentinelUser without a sentinelPassword, or an empty one"
                            + SPELLING);
        }
        return password.isEmpty()
                ? new Login(null, null)
                : new Login(user.isEmpty() ? null : Login.decode(user), Login.decode(password));
    }

    private static List<RedisServer> sentinels(RedisServer.UriHosts hosts, boolean tls, Login login) {
        List<RedisAddress> addresses = hosts.addresses(DEFAULT_PORT);
        if (addresses == null) {
            throw new IllegalArgumentException(
                    "the URI of Redis Sentinel names a sentinel without a host, or a port above 65535" + SPELLING);
        }
        return addresses.stream()
                .map(each -> new RedisServer(each.host(), each.port(), tls, login.user(), login.password(), 0))
                .toList();
    }

    private static String name(URI uri, Map<String, String> parameters) {
        String fragment = uri.getRawFragment();
        if (fragment != null && (parameters.containsKey(PRIMARY) || parameters.containsKey(PASSWORD))) {
            // It may be the rest of a password.
            throw new IllegalArgumentException(
                    "the URI of Redis Sentinel has a # behind its query: name the primary by " + PRIMARY
                            + ", and encode a # as %23" + SPELLING);
        }
        String name = parameters.getOrDefault(PRIMARY, fragment);
        if (name == null || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the URI of Redis Sentinel must name the primary by letters, digits, dots, "
                            + "hyphens and underscores" + SPELLING);
        }
        return name;
    }

    /**
     * Returns the server that the Sentinels name, with the credentials in the URI.
     *
     * @param host its host
     * @param port its port
     * @return the server
     */
    public RedisServer server(String host, int port) {
        return new RedisServer(host, port, tls, user, password, database);
    }

    /**
     * Returns the address of a Sentinel, for messages.
     *
     * @param sentinel one of these
     * @return scheme, host and port
     */
    public static String address(RedisServer sentinel) {
        String host = sentinel.host().contains(":") ? "[" + sentinel.host() + "]" : sentinel.host();
        return (sentinel.tls() ? TLS_SCHEME : SCHEME) + "://" + host + ":" + sentinel.port();
    }

    /**
     * Describes the Sentinels without secrets.
     *
     * @return the name of the primary and the sentinels
     */
    @Override
    public String toString() {
        return primaryName + " of " + sentinels;
    }
}
