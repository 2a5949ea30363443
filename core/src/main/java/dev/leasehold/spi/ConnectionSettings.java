package dev.leasehold.spi;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectorInfo.Trait;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which an adapter opens its own connections.
 *
 * @param uri the server, or several nodes of a cluster or Sentinels; its user info is a secret, which {@link #toString()} masks
 * @param clientName the name for {@code CLIENT SETNAME}
 * @param connectTimeout how long to wait for a connection, 1 ms to {@link #MAX_TIMEOUT}
 * @param commandTimeout the longest time that a caller waits for an answer, 1 ms to {@link #MAX_TIMEOUT}
 * @param tls how {@code rediss} connections are secured
 * @param credentials what supplies user and password of each new connection, or null for those of the URI
 */
public record ConnectionSettings(
        URI uri,
        String clientName,
        Duration connectTimeout,
        Duration commandTimeout,
        TlsOptions tls,
        @Nullable CredentialsSource credentials) {

    /** The longest timeout: the clients of Redis count milliseconds in 31 bits, which end after 24 days. */
    public static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    /** Checks the timeouts. */
    public ConnectionSettings {
        checkTimeout("connect timeout", connectTimeout);
        checkTimeout("command timeout", commandTimeout);
    }

    /**
     * Checks a timeout of connections.
     *
     * @param what its name, for the message
     * @param value from 1 ms to {@link #MAX_TIMEOUT}
     * @throws IllegalArgumentException if it is shorter or longer; the message names both bounds
     */
    public static void checkTimeout(String what, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    what + " " + value + " must lie between " + Duration.ofMillis(1) + " and " + MAX_TIMEOUT);
        }
    }

    /** The name that Redis has for the user of connections that name none. */
    private static final String DEFAULT_USER = "default";

    /**
     * Creates settings with the user and the password of the URI, if it has any.
     *
     * @param uri the server; its user info is a secret
     * @param clientName the name for {@code CLIENT SETNAME}
     * @param connectTimeout how long to wait for a connection
     * @param commandTimeout the longest time that a caller waits for an answer
     * @param tls how {@code rediss} connections are secured
     */
    public ConnectionSettings(
            URI uri, String clientName, Duration connectTimeout, Duration commandTimeout, TlsOptions tls) {
        this(uri, clientName, connectTimeout, commandTimeout, tls, null);
    }

    /**
     * Returns what an adapter asks before it opens a connection. Sentinels keep the user and the password of the URI.
     *
     * @param purpose what the connection is for
     * @return the source of its credentials, or null if those of the URI apply
     */
    public @Nullable CredentialsSource credentials(ConnectionPurpose purpose) {
        return purpose.isToSentinel() ? null : credentials;
    }

    /**
     * Returns the address without its secrets.
     *
     * @return scheme, host, port and path; for Sentinels and several nodes of a cluster, all their addresses; for a Unix socket, scheme
     *     and path
     */
    public String address() {
        String path = uri.getPath() == null ? "" : uri.getPath();
        return uri.getScheme() + "://" + authority() + path;
    }

    /**
     * Describes a connector with these settings: the server, the nodes of a cluster, the Sentinels or the Unix socket that the URI names.
     *
     * @param traits how it behaves; {@link Trait#REACHES_ALL_SERVERS} is added, except for a Unix socket
     * @return what it leads to
     * @throws IllegalArgumentException if the URI cannot be understood; the message contains no secret
     */
    public ConnectorInfo connectorInfo(Trait... traits) {
        Set<Trait> all = new HashSet<>(List.of(traits));
        if (RedisSocket.isNamedIn(uri)) {
            RedisSocket socket = RedisSocket.of(this);
            return info(List.of(new RedisAddress(socket.path(), 0)), null, socket.user(), all);
        }
        all.add(Trait.REACHES_ALL_SERVERS);
        if (RedisSentinels.areNamedIn(uri)) {
            RedisSentinels named = RedisSentinels.of(this);
            return info(
                    named.sentinels().stream().map(RedisServer::address).toList(),
                    named.primaryName(),
                    named.user(),
                    all);
        }
        List<RedisServer> servers = RedisServer.allOf(this);
        return info(
                servers.stream().map(RedisServer::address).toList(),
                null,
                servers.get(0).user(),
                all);
    }

    private ConnectorInfo info(
            List<RedisAddress> seeds, @Nullable String primaryName, @Nullable String user, Set<Trait> traits) {
        String named = user == null ? DEFAULT_USER : user;
        String always = credentials == null ? named : null;
        return new ConnectorInfo(seeds, primaryName, address(), always, traits, connectTimeout, commandTimeout);
    }

    /**
     * Returns a server with the credentials and the security that the URI gives it; not for a Unix socket.
     *
     * @param at where it is
     * @param purpose whether it is a Sentinel, which may have a user and a password of its own
     * @return the server
     */
    public RedisServer server(RedisAddress at, ConnectionPurpose purpose) {
        if (!RedisSentinels.areNamedIn(uri)) {
            return RedisServer.of(this).elsewhere(at.host(), at.port());
        }
        RedisSentinels named = RedisSentinels.of(this);
        return purpose.isToSentinel()
                ? named.sentinels().get(0).elsewhere(at.host(), at.port())
                : named.server(at.host(), at.port());
    }

    private String authority() {
        return uri.getHost() == null || RedisSentinels.areNamedIn(uri)
                ? RedisServer.UriHosts.of(uri).toString()
                : uri.getHost() + ":" + (uri.getPort() < 0 ? 6379 : uri.getPort());
    }

    @Override
    public String toString() {
        return "ConnectionSettings[" + address() + ", " + clientName + "]";
    }
}
