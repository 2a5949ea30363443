package dev.leasehold.quarkus.internal;

import io.quarkus.redis.runtime.client.VertxRedisClientFactory;
import io.quarkus.redis.runtime.client.config.RedisClientConfig;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.redis.client.RedisClientType;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The servers of one of Quarkus' Redis clients, as a URI for Leasehold. */
final class RedisUri {

    private final String client;
    private final RedisClientConfig config;
    private final boolean tls;

    /**
     * Reads nothing yet.
     *
     * @param client the name of the Redis client
     * @param config its settings
     */
    RedisUri(String client, RedisClientConfig config) {
        this.client = client;
        this.config = config;
        this.tls = config.tls().enabled() || config.tlsConfigurationName().isPresent();
    }

    /**
     * Returns the URI, which names each Sentinel and each node of a cluster.
     *
     * @throws ConfigurationException if there is no host, or the settings say what Leasehold cannot do
     */
    String text() {
        Set<URI> hosts = config.hosts()
                .or(() -> config.hostsProviderName()
                        .map(VertxRedisClientFactory::findProvider)
                        .map(provider -> provider.getHosts()))
                .orElseThrow(() -> problem(
                        "hosts",
                        "is not set, so Leasehold has no Redis server. Set it, or quarkus.leasehold.uri;"
                                + " quarkus.leasehold.enabled=false switches Leasehold off"));
        if (hosts.isEmpty()) {
            throw problem("hosts", "is empty");
        }
        hosts.forEach(this::check);
        return switch (config.clientType()) {
            case STANDALONE -> {
                if (hosts.size() > 1) {
                    // Quarkus keeps them in no order, and uses the first.
                    throw problem(
                            "hosts",
                            "names " + hosts.size() + " servers, and "
                                    + RedisConfig.getPropertyName(client, "client-type")
                                    + " is standalone, where Quarkus uses any one of them. Name one server, set that to cluster or"
                                    + " sentinel, or set quarkus.leasehold.uri");
                }
                yield servers(List.copyOf(hosts));
            }
            case CLUSTER -> servers(List.copyOf(hosts));
            case SENTINEL -> sentinels(List.copyOf(hosts));
            case REPLICATION ->
                throw problem(
                        "client-type",
                        "is replication, where Leasehold would not know the primary after a failover. Use sentinel, or set"
                                + " quarkus.leasehold.uri to the primary");
        };
    }

    private String servers(List<URI> hosts) {
        URI first = hosts.get(0);
        if ("unix".equals(first.getScheme()) && hosts.size() == 1) {
            return "redis-socket://" + first.getPath();
        }
        String before = scheme(first, "") + "://" + userInfo(first);
        String after = path(first);
        if (hosts.stream()
                .anyMatch(each ->
                        !before.equals(scheme(each, "") + "://" + userInfo(each)) || !after.equals(path(each)))) {
            throw problem(
                    "hosts",
                    "names servers that differ in more than host and port. Leasehold connects to all nodes of a"
                            + " cluster with the same user, password and security. Give all of them the same, or set quarkus.leasehold.uri");
        }
        return before + hosts.stream().map(RedisUri::address).collect(Collectors.joining(",")) + after;
    }

    private String sentinels(List<URI> hosts) {
        URI first = hosts.get(0);
        String credentials = userInfo(first);
        String master = config.masterName().orElse("mymaster");
        String uri = scheme(first, "-sentinel") + "://" + credentials
                + hosts.stream().map(RedisUri::address).collect(Collectors.joining(",")) + path(first)
                + "?sentinelMasterId=" + encoded(master);
        // As Quarkus' client does, which says the same to both.
        String[] parts = credentials.replace("@", "").split(":", 2);
        return parts.length < 2
                ? uri
                : uri + (parts[0].isEmpty() ? "" : "&sentinelUser=" + parts[0]) + "&sentinelPassword=" + parts[1];
    }

    private void check(URI host) {
        if (host.getQuery() != null) {
            throw problem("hosts", "has a query, which Leasehold does not read. Set quarkus.leasehold.uri");
        }
        boolean mayBeSocket = config.clientType() != RedisClientType.SENTINEL;
        if (address(host).isEmpty() && !(mayBeSocket && "unix".equals(host.getScheme()))) {
            throw problem("hosts", "names a server without a host. Write redis://host:port");
        }
    }

    private String scheme(URI host, String kind) {
        return (tls || "rediss".equals(host.getScheme()) ? "rediss" : "redis") + kind;
    }

    /** Returns the credentials with their "@", or nothing. */
    private String userInfo(URI host) {
        String authority = authority(host);
        @Nullable String inUri = authority.contains("@") ? authority.substring(0, authority.lastIndexOf('@')) : null;
        @Nullable String password = config.password().orElse(null);
        if (password == null) {
            return inUri == null ? "" : inUri + "@";
        }
        String user = inUri == null ? "" : inUri.split(":", 2)[0];
        return user + ":" + encoded(password) + "@";
    }

    private static String address(URI host) {
        String authority = authority(host);
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    /** Returns user, password, host and port, of which {@link URI} reads none if the name of the host has an underscore. */
    private static String authority(URI host) {
        return host.getRawAuthority() == null ? "" : host.getRawAuthority();
    }

    private static String path(URI host) {
        return host.getRawPath() == null ? "" : host.getRawPath();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private ConfigurationException problem(String property, String what) {
        return new ConfigurationException(RedisConfig.getPropertyName(client, property) + " " + what);
    }
}
