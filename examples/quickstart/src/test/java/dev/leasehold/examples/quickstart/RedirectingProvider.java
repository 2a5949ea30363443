package dev.leasehold.examples.quickstart;

import dev.leasehold.lettuce.LettuceTransportProvider;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;
import java.net.URI;

/**
 * Lets the examples say {@code redis://localhost:6379}, as the READMEs do, and reach the embedded server of the test
 * instead, over the same Lettuce adapter. Test classes come first on the class path, so this is found before it.
 */
public final class RedirectingProvider implements RedisTransportProvider {

    private static volatile String server;

    /** For {@link java.util.ServiceLoader}. */
    public RedirectingProvider() {}

    static void leadTo(String uri) {
        server = uri;
    }

    @Override
    public boolean supports(String scheme) {
        return scheme.equals("redis");
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        if (!settings.uri().toString().equals("redis://localhost:6379")) {
            throw new IllegalArgumentException("the examples connect to redis://localhost:6379, not " + settings);
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
