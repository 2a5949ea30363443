package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisTransport;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks servers to which the client itself does not connect, each over a connection that is closed after the check.
 */
final class TemporaryConnections {

    private final ClientConfig config;

    TemporaryConnections(ClientConfig config) {
        this.config = config;
    }

    /**
     * Checks one server.
     *
     * @param purpose whether it is a Sentinel, which has a user and a password of its own
     * @param kind the subject of the finding if the server does not answer
     * @param remedy the remedy of that finding
     * @return the findings of the check, or the finding that there was no answer
     */
    List<Finding> at(
            RedisServer server,
            ConnectionPurpose purpose,
            String kind,
            String remedy,
            Function<ServerQueries, List<Finding>> check) {
        CredentialsSource credentials = purpose.isToSentinel() ? null : config.credentials();
        try (RedisTransport transport = Transports.open(config, uri(server), credentials)) {
            return check.apply(new ServerQueries(transport, config.commandTimeout()));
        } catch (LockUnavailableException | RedisErrorException e) {
            return List.of(new Finding(Level.WARNING, kind, server + ": No answer: " + e.getMessage() + ".", remedy));
        } catch (IllegalArgumentException e) {
            // A replica announces any text for its host.
            return List.of(new Finding(
                    Level.WARNING, kind, server + ": Not checked: its host is no name that a URI may have.", remedy));
        }
    }

    private static String uri(RedisServer server) {
        String host = server.host().contains(":") ? "[" + server.host() + "]" : server.host();
        return (server.tls() ? "rediss://" : "redis://") + login(server) + host + ":" + server.port()
                + (server.database() == 0 ? "" : "/" + server.database());
    }

    private static String login(RedisServer server) {
        return server.password() == null ? "" : encode(server.user()) + ":" + encode(server.password()) + "@";
    }

    private static String encode(@Nullable String text) {
        return text == null
                ? ""
                : URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
