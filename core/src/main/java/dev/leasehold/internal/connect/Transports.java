package dev.leasehold.internal.connect;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisSocket;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;
import dev.leasehold.spi.TransportException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the adapter for a URI and opens it. */
public final class Transports {

    private static final Set<String> SCHEMES =
            Set.of("redis", "rediss", RedisSentinels.SCHEME, RedisSentinels.TLS_SCHEME, RedisSocket.SCHEME);

    private Transports() {}

    public static RedisTransport open(ClientConfig config) {
        return open(config, Objects.requireNonNull(config.uri()));
    }

    /** Opens a transport over a URI with the client's credentials. */
    public static RedisTransport open(ClientConfig config, String text) {
        return open(config, text, config.credentials());
    }

    /** Checks the URI of a client, and that there is an adapter for it; returns its server without secrets. */
    public static String address(ClientConfig config) {
        String text = config.uri();
        if (text == null) {
            return "the given client";
        }
        RedisTransportProvider unused = find(parse(text).getScheme().toLowerCase(Locale.ROOT));
        return address(config, text);
    }

    /** Checks a URI and returns its server without secrets. */
    public static String address(ClientConfig config, String text) {
        return settings(config, text).address();
    }

    /** Checks a URI and returns the settings for its connections. */
    public static ConnectionSettings settings(ClientConfig config, String text) {
        return settings(config, parse(text), config.credentials());
    }

    private static ConnectionSettings settings(ClientConfig config, URI uri, @Nullable CredentialsSource credentials) {
        ConnectionSettings settings = new ConnectionSettings(
                uri, config.name(), config.connectTimeout(), config.commandTimeout(), config.tls(), credentials);
        // Reads the URI, which is refused if it cannot be read.
        ConnectorInfo unused = settings.connectorInfo();
        if (credentials != null && hasAt(uri.getRawAuthority())) {
            throw new IllegalArgumentException("the URI of " + settings.address()
                    + " has a user or a password, and credentials(...) is set, too: a refused connection would not tell which of"
                    + " them is wrong. Remove user and password from the URI, or leave credentials(...) out");
        }
        return settings;
    }

    /**
     * Opens a transport over a URI.
     *
     * @param credentials the source of user and password, or null for those of the URI
     */
    public static RedisTransport open(ClientConfig config, String text, @Nullable CredentialsSource credentials) {
        URI uri = parse(text);
        ConnectionSettings settings = settings(config, uri, credentials);
        RedisTransportProvider provider = find(uri.getScheme().toLowerCase(Locale.ROOT));
        try {
            return provider.open(settings);
        } catch (RedisErrorException e) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "Redis at " + settings.address() + " refused the connection: " + e.getMessage() + ". "
                            + RefusalAdvice.ofLogin(
                                    e,
                                    credentials == null
                                            ? "Check user, password and rights in the URI"
                                            : "Check user and password that the credentials supplier returns, and the rights of that user"),
                    e);
        } catch (TransportException e) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "Redis at " + settings.address() + " cannot be reached: " + e.getMessage()
                            + ". Check that it is up and that address and port are right",
                    e);
        }
    }

    /** A message names the rule and never quotes the text: any part of it may be one of a password. */
    private static URI parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            // Its message quotes the whole input, and with it perhaps a password: it must not be the cause.
            throw new IllegalArgumentException("the URI of Redis cannot be parsed: " + e.getReason() + " at position "
                    + e.getIndex() + " of " + text.length()
                    + ". Write redis://host:port, and percent-encode special characters of the password");
        }
        String scheme = uri.getScheme();
        if (scheme == null || uri.isOpaque() || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "the URI of Redis has another scheme or none: it must begin with redis:// or, for TLS, rediss://, or, for a primary "
                            + "that sentinels name, redis-sentinel:// or rediss-sentinel://, or, for a Unix socket, redis-socket://");
        }
        if (hasAt(uri.getRawPath()) || hasAt(uri.getRawQuery()) || hasAt(uri.getRawFragment())) {
            // A character of the password was parsed as the end of the authority, so that a part of it looks like the
            // host.
            throw new IllegalArgumentException(
                    "the URI of Redis has an @ after the host: percent-encode the characters / ? # @ of the password");
        }
        return uri;
    }

    private static boolean hasAt(@Nullable String part) {
        return part != null && part.indexOf('@') >= 0;
    }

    private static RedisTransportProvider find(String scheme) {
        for (RedisTransportProvider provider : ServiceLoader.load(RedisTransportProvider.class)) {
            if (provider.supports(scheme)) {
                return provider;
            }
        }
        if (scheme.equals(RedisSocket.SCHEME)) {
            throw new IllegalStateException("no adapter for " + scheme
                    + ":// is on the class path. Add leasehold-lettuce and io.lettuce:lettuce-core; leasehold-jedis has no Unix "
                    + "sockets, because the JDK has none that Jedis could use");
        }
        throw new IllegalStateException("no adapter for " + scheme
                + ":// is on the class path. Add leasehold-lettuce and io.lettuce:lettuce-core, or leasehold-jedis and "
                + "redis.clients:jedis, or hand a transport to Leasehold.builder().transport(...)");
    }
}
