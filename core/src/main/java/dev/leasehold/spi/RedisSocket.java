package dev.leasehold.spi;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server in a URI of a Unix socket: the same for all adapters that support one. An immutable value.
 *
 * @param path the absolute path of the socket
 * @param user the user, or null for the default user
 * @param password the password, or null for none; {@link #toString()} omits it
 * @param database the number of the database
 */
public record RedisSocket(
        String path, @Nullable String user, @Nullable String password, int database) {

    /** The scheme of such a URI. */
    public static final String SCHEME = "redis-socket";

    private static final Pattern DATABASE = Pattern.compile("database=([0-9]{1,9})");
    private static final String SPELLING = "; write redis-socket:///path/to/redis.sock?database=0 or, with a password, "
            + "redis-socket://:password@/path/to/redis.sock, and encode what is special in it (@ is %40, / is %2F)";

    /**
     * Returns whether a URI names a socket.
     *
     * @param uri any URI
     * @return whether its scheme is {@value #SCHEME}
     */
    public static boolean isNamedIn(URI uri) {
        return SCHEME.equalsIgnoreCase(uri.getScheme());
    }

    /**
     * Reads {@code redis-socket://[[user]:password@]/path[?database=number]}.
     *
     * @param settings the settings with the URI
     * @return the parsed URI
     * @throws IllegalArgumentException if it names no absolute path, a user without a password, or anything but the number
     *     of a database in its query; the message contains no secret
     */
    public static RedisSocket of(ConnectionSettings settings) {
        URI uri = settings.uri();
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        String path = uri.getPath() == null ? "" : uri.getPath();
        if (path.length() < 2 || !(authority.isEmpty() || authority.indexOf('@') == authority.length() - 1)) {
            throw new IllegalArgumentException(
                    "the URI of a Unix socket must name an absolute path, and no host" + SPELLING);
        }
        Login login = Login.of(authority.isEmpty() ? "" : authority.substring(0, authority.length() - 1));
        return new RedisSocket(path, login.user(), login.password(), database(uri));
    }

    private static int database(URI uri) {
        String query = uri.getRawQuery();
        if (query == null) {
            return 0;
        }
        Matcher database = DATABASE.matcher(query);
        if (!database.matches()) {
            throw new IllegalArgumentException(
                    "the query of the URI of a Unix socket may say the number of a database, and nothing else"
                            + SPELLING);
        }
        return Integer.parseInt(database.group(1));
    }

    /**
     * Returns the address without secrets.
     *
     * @return the path
     */
    @Override
    public String toString() {
        return path;
    }
}
