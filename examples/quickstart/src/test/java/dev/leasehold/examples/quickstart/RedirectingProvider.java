package dev.leasehold.examples.quickstart;

import dev.leasehold.lettuce.LettuceTransportProvider;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Redirects {@code redis://localhost:6379}, which the examples use as the handbook does, to the embedded server of the
 * test, with the same Lettuce adapter. Test classes are first on the class path, so this provider is found before the
 * adapter's. In a process that a test starts, the system property {@value #SERVER} names the server.
 */
public final class RedirectingProvider implements RedisTransportProvider {

    static final String SERVER = "leasehold.examples.server";

    private static final String EXAMPLE = "redis://localhost:6379";
    private static final Map<String, String> SERVERS = new ConcurrentHashMap<>();

    static {
        String server = System.getProperty(SERVER);
        if (server != null) {
            leadTo(server);
        }
    }

    /** Creates a provider, for {@link java.util.ServiceLoader}. */
    public RedirectingProvider() {}

    static void leadTo(String uri) {
        lead(EXAMPLE, uri);
    }

    static void lead(String example, String uri) {
        SERVERS.put(example, uri);
    }

    @Override
    public boolean supports(String scheme) {
        return scheme.equals("redis");
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        String server = SERVERS.get(settings.uri().toString());
        if (server == null) {
            throw new IllegalArgumentException("the examples connect to " + SERVERS.keySet() + ", not " + settings);
        }
        return new LettuceTransportProvider()
                .open(new ConnectionSettings(
                        URI.create(server),
                        settings.clientName(),
                        settings.connectTimeout(),
                        settings.commandTimeout(),
                        settings.tls()));
    }
}
