package dev.leasehold.spi;

import dev.leasehold.TlsOptions;
import java.net.URI;
import java.time.Duration;

/**
 * The settings with which an adapter opens its own connections.
 *
 * @param uri the server; its user info is a secret, which {@link #toString()} masks
 * @param clientName the name for {@code CLIENT SETNAME}
 * @param connectTimeout how long to wait for a connection
 * @param commandTimeout the longest time that a caller waits for an answer
 * @param tls how {@code rediss} connections are secured
 */
public record ConnectionSettings(
        URI uri, String clientName, Duration connectTimeout, Duration commandTimeout, TlsOptions tls) {

    /**
     * Returns the address without its secrets.
     *
     * @return scheme, host, port and path; for Sentinels, all their addresses; for a Unix socket, scheme and path
     */
    public String address() {
        String path = uri.getPath() == null ? "" : uri.getPath();
        return uri.getScheme() + "://" + authority() + path;
    }

    private String authority() {
        if (RedisSentinels.areNamedIn(uri)) {
            String authority = uri.getRawAuthority();
            return authority == null ? "" : authority.substring(authority.lastIndexOf('@') + 1);
        }
        if (RedisSocket.isNamedIn(uri)) {
            return "";
        }
        return uri.getHost() + ":" + (uri.getPort() < 0 ? 6379 : uri.getPort());
    }

    @Override
    public String toString() {
        return "ConnectionSettings[" + address() + ", " + clientName + "]";
    }
}
