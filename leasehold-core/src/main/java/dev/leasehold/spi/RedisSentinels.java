package dev.leasehold.spi;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a URI says of sentinels and of the primary that they name: the same for all adapters. An immutable value.
 *
 * @param sentinels where they are
 * @param primaryName the name under which they know the primary
 * @param user who is to be authenticated at the primary, or null for the default user
 * @param password the password at the primary, or null for none; {@link #toString()} does not tell it
 * @param database the number of the database
 */
public record RedisSentinels(
        List<RedisNode> sentinels,
        String primaryName,
        @Nullable String user,
        @Nullable String password,
        int database) {

    /** The scheme of such a URI. */
    public static final String SCHEME = "redis-sentinel";

    private static final int DEFAULT_PORT = 26_379;
    private static final int MOST = 65_535;
    private static final Pattern SENTINEL = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[^:@\\[\\]\\s]+)(?::(\\d{1,5}))?");

    /** What a sentinel takes for a name. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private static final String PARAMETER = "sentinelMasterId=";
    private static final String SPELLING =
            "; write redis-sentinel://host:port,host:port/0?sentinelMasterId=mymaster, and encode what is special in user and "
                    + "password (@ is %40, / is %2F)";

    /** Copies the list. */
    public RedisSentinels {
        sentinels = List.copyOf(sentinels);
    }

    /**
     * Whether a URI names sentinels.
     *
     * @param uri any URI
     * @return whether its scheme is {@value #SCHEME}
     */
    public static boolean areNamedIn(URI uri) {
        return SCHEME.equalsIgnoreCase(uri.getScheme());
    }

    /**
     * Reads {@code redis-sentinel://[[user]:password@]host[:port][,host[:port]...][/database]?sentinelMasterId=name}; the name
     * may also be the fragment. User and password are those of the primary and its replicas; the sentinels have none.
     *
     * @param settings with the URI
     * @return what it says
     * @throws IllegalArgumentException if it names no sentinel, no primary, a user without a password, a database that is
     *     not a number, or anything else in its query; the message tells no secret
     */
    public static RedisSentinels of(ConnectionSettings settings) {
        URI uri = settings.uri();
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        if (userInfo.indexOf('@') >= 0) {
            throw new IllegalArgumentException("the URI of Redis Sentinel has more than one @" + SPELLING);
        }
        Login login = Login.of(userInfo);
        return new RedisSentinels(
                hosts(authority.substring(at + 1)),
                name(uri),
                login.user(),
                login.password(),
                RedisServer.database(uri));
    }

    private static List<RedisNode> hosts(String list) {
        List<RedisNode> sentinels = new ArrayList<>();
        for (String each : list.split(",", -1)) {
            Matcher sentinel = SENTINEL.matcher(each);
            int port = sentinel.matches() && sentinel.group(2) != null
                    ? Integer.parseInt(sentinel.group(2))
                    : DEFAULT_PORT;
            if (!sentinel.matches() || port > MOST) {
                throw new IllegalArgumentException(
                        "the URI of Redis Sentinel names a sentinel without a host, or a port above " + MOST
                                + SPELLING);
            }
            String host = sentinel.group(1);
            sentinels.add(
                    new RedisNode(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port, false));
        }
        return sentinels;
    }

    private static String name(URI uri) {
        String query = uri.getRawQuery();
        if (query != null && !query.startsWith(PARAMETER)) {
            throw new IllegalArgumentException(
                    "the query of the URI of Redis Sentinel may say sentinelMasterId, and nothing else" + SPELLING);
        }
        String name = query == null ? uri.getRawFragment() : query.substring(PARAMETER.length());
        if (name == null || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the URI of Redis Sentinel must name the primary by letters, digits, dots, "
                            + "hyphens and underscores" + SPELLING);
        }
        return name;
    }

    /**
     * What the URI says of the server that the sentinels name.
     *
     * @param host where it is
     * @param port its port
     * @return the server
     */
    public RedisServer server(String host, int port) {
        return new RedisServer(host, port, false, user, password, database);
    }

    /**
     * Who it is about, without secrets.
     *
     * @return the name of the primary and the sentinels
     */
    @Override
    public String toString() {
        return primaryName + " of " + sentinels;
    }
}
