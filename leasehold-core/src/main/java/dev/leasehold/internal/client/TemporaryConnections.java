package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisTransport;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks at servers that the client itself does not speak to, each over a connection that ends with the look. */
final class TemporaryConnections {

    private final ClientConfig config;

    TemporaryConnections(ClientConfig config) {
        this.config = config;
    }

    /**
     * Looks.
     *
     * @param kind what it is, for the finding if it does not answer
     * @param remedy what follows if it does not
     * @return what was found, or that there was no answer
     */
    List<Finding> at(RedisServer server, String kind, String remedy, Function<ServerQueries, List<Finding>> look) {
        try (RedisTransport transport = Transports.open(config, uri(server))) {
            return look.apply(new ServerQueries(transport, config.commandTimeout()));
        } catch (LockUnavailableException | RedisErrorException e) {
            return List.of(new Finding(Level.WARNING, kind, server + ": No answer: " + e.getMessage() + ".", remedy));
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
